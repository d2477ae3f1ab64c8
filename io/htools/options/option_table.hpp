// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The rows of the table of options and which tool takes which; options.cpp
// reads words by it.

#pragma once

#include "io/htools/options/options.hpp"
#include "io/options/read_words.hpp"

#include <functional>
#include <utility>

namespace orderly::io::htools {

/// Empty, or what is wrong with the value.
using setter = std::function<std::string(tool_options&, const std::string&)>;

struct option : option_form {
  option(char one, std::string typed, takes after, std::string shown_as,
         std::string about, setter how)
    : option_form{one, std::move(typed), after, std::move(shown_as),
                  std::move(about)},
      set(std::move(how)) {
    // nop
  }

  setter set;
};

/// Rows about sources of clusters, what is printed, moves, limits, jobs and
/// monitors, room for new instances, restarts of nodes, nodes that are switched
/// off, changes that are only thought of, and moves between groups; every tool
/// takes some of them.
std::vector<option> source_options();
std::vector<option> output_options();
std::vector<option> move_options();
std::vector<option> limit_options();
std::vector<option> search_options();
std::vector<option> live_options();
std::vector<option> room_options();
std::vector<option> roll_options();
std::vector<option> squeeze_options();
std::vector<option> whatif_options();
std::vector<option> groups_options();

/// The rows that `of` takes.
std::vector<option> options_of(tool of);

/// What usage() shows below the table; may be empty.
std::string examples_of(tool of);

// Makers of setters.

setter set_flag(bool tool_options::*field, bool to = true);
setter
set_text(const std::function<void(tool_options&, const std::string&)>& to);
/// `what` begins the complaint about a text that is no number.
setter set_number(const char* what,
                  const std::function<void(tool_options&, double)>& to);
/// A part of a whole, from 0 to 1.
setter set_part(const char* what,
                const std::function<void(tool_options&, double)>& to);
setter set_whole(const char* what,
                 const std::function<void(tool_options&, std::int64_t)>& to);

} // namespace orderly::io::htools
