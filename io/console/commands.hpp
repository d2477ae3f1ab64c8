// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Carries out one command line: asks the daemon, prints data to `out` and
// everything else to `err`, says how it went by the exit code.

#pragma once

#include "io/console/command_line.hpp"

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

namespace orderly::io::console {

struct surroundings {
  std::ostream& out;
  std::ostream& err;
  std::string version;
  std::function<instant()> now; ///< for ages
  std::function<bool()> go_on;  ///< waits a moment; false ends `--follow`
  /// Asks the person at the terminal, who may give no answer; not set: there
  /// is no terminal.
  std::function<std::optional<std::string>(const std::string&)> confer = {};
  std::function<void(millis)> rest = {};  ///< not set: does not wait
  std::function<bool()> interrupted = {}; ///< first asked before it begins
  bool watched = false;                   ///< `err` is a terminal
};

int run(const command_line& line, surroundings& with);

} // namespace orderly::io::console
