// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The options of hbal, spelled, abbreviated and refused as the reference does:
// short ones may be glued, long ones cut while they are unique. hbal.cpp runs
// what they ask.

#pragma once

#include "actors/planning/exact.hpp"
#include "messages/result.hpp"

namespace orderly::io::htools {

struct hbal_options {
  planning::build_options build;
  planning::search_rules rules;
  std::string text_file;
  std::optional<std::string> save;
  std::optional<std::string> commands; ///< a file, or empty: print them
  std::optional<std::string> node_fields;
  bool print_instances = false;
  std::optional<std::string> group;
  std::vector<std::string> offline;
  std::vector<std::string> selected;
  std::vector<std::string> excluded;
  std::string load_file;
  int verbose = 1;
  bool execute = false;
  bool ask_monitors = false;
  bool version = false;
  bool help = false;
  std::string other_source; ///< an option for a source that we cannot ask
  int sources = 0;
};

/// What stopped the reading of the options, and the exit code for it.
struct option_fault {
  int code = 2;
  std::string text;
};

std::variant<hbal_options, option_fault>
read_hbal_options(const std::vector<std::string>& arguments);

/// The table of options.
std::string hbal_usage();

} // namespace orderly::io::htools
