// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The hbal tool on a text file: reads, plans, prints. Its lines and exit codes
// are the reference's.

#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace orderly::io::htools {

/// Where a tool writes; tests give it files of their own.
struct tool_output {
  std::FILE* out = stdout;
  std::FILE* err = stderr;
  bool terminal = false; ///< does somebody watch `err`?
};

/// `arguments` without the name of the program. The exit code.
int run_hbal(const std::vector<std::string>& arguments, tool_output to);

} // namespace orderly::io::htools
