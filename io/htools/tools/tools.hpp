// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The tools by name: options are read, help and version shown, and the tool
// runs. io/main/htools.cpp is only this.

#pragma once

#include "io/htools/options/options.hpp"
#include "io/htools/tools/hbal.hpp"

namespace orderly::io::htools {

/// Runs the tool; the exit code.
int run_tool(tool of, const std::vector<std::string>& arguments,
             tool_output to);

// What runs when the options are read.

int run_hail(const tool_options& o, tool_output to);
int run_hcheck(const tool_options& o, tool_output to);
int run_hspace(const tool_options& o, tool_output to);
int run_hinfo(const tool_options& o, tool_output to);
int run_hroller(const tool_options& o, tool_output to);
int run_hsqueeze(const tool_options& o, tool_output to);
int run_hscan(const tool_options& o, tool_output to);
int run_hwhatif(const tool_options& o, tool_output to);
int run_hgroups(const tool_options& o, tool_output to);

/// The cluster of all tools but hbal, hail and hscan, with offline nodes, load
/// and selected instances as the options say; warnings are shown. Nothing if the tool has to end with 1.
std::optional<planning::cluster> load_for(const tool_options& o,
                                          tool_output to);

/// What hwhatif says of a cluster that somebody has read.
struct what_if_said {
  int code = 0; ///< of the program: 0 well, 10 well after moves, 11 not well
  std::string text; ///< sentences, or with --output=json an object
};

/// The changes are the words of `o`; a fault if they are none, or none of this
/// cluster; it quotes what was read, as it is.
result<what_if_said> say_what_if(const planning::cluster& c,
                                 const tool_options& o);

/// A new instance of that size, with one disk, that is on no node yet.
planning::instance_spec instance_of(const wanted_size& size, std::string name);

} // namespace orderly::io::htools
