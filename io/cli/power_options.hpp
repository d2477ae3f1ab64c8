// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The command lines of power control: `orderly power`, `health`, `node`,
// `epo`, `verify`, `confirm-off`, `ha`. Option names are those of Ganeti's
// tools. Pure; used by the program and by the conformance runner.

#pragma once

#include "messages/errand.hpp"
#include "messages/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace orderly::power {

struct options {
  errand_request wanted;         ///< without `who`
  bool yes = false;              ///< `--yes`, `--force`, `-f`: do not ask
  bool json = false;             ///< `--output json`
  bool quiet = false;            ///< no progress
  std::string socket;            ///< of orderlyd; empty: the usual one
  std::optional<millis> timeout; ///< for one answer of orderlyd
};

/// What a command line comes to: options, or a text to print and its exit
/// code.
struct command {
  bool help = false;
  /// 0 for help; 2 for a command line that makes no sense; 1 for one that
  /// does, but is about nothing or contradicts itself, as Ganeti's tools do.
  int code = 0;
  std::string text; ///< help, or what is wrong and what to do
  options chosen;   ///< if `text` is empty
};

/// The words that begin such a command line: "power", "power-status",
/// "health", "node", "epo", "verify", "confirm-off", "ha", "cluster".
bool is_power_command(const std::string& first);

/// `args` without the name of the program: {"power", "off", "node1"}.
command read_command(const std::vector<std::string>& args);

/// One line a command, for the overview of `orderly --help`.
std::string overview();

/// Off, cycle and epo without --on cost people something and are asked about.
bool is_asked_about(const errand_request& x);

} // namespace orderly::power
