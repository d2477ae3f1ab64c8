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

/// A new instance of that size, with one disk, that is on no node yet.
planning::instance_spec instance_of(const wanted_size& size, std::string name);

} // namespace orderly::io::htools
