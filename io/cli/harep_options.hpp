// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The command line of `orderly harep`, understood: the options of Ganeti's
// harep with its texts and exit codes (spec repair A.9), and a few of ours.
// Pure; used by the program and by the conformance runner.

#pragma once

#include "messages/time.hpp"

#include <optional>
#include <string>
#include <vector>

namespace orderly {

struct harep_options {
  std::string luxi_socket;    ///< empty: the default one
  double job_delay_s = 10;    ///< before the repair jobs; 0: none
  std::string reason;         ///< for the jobs' reason trails; never empty
  bool dry_run = false;       ///< nothing is sent
  bool json = false;          ///< the report is for programs
  millis limit = minutes{10}; ///< the pass is given up after that
  std::string journal;        ///< file; empty: in memory
  std::string daemon_socket;  ///< where an orderlyd would listen
  bool force = false;         ///< do not look whether an orderlyd acts
};

/// What a command line means: options, or a text to print and leave with.
struct harep_command {
  std::optional<harep_options> options; ///< missing: print `text`, then leave
  int code = 0;
  std::string text; ///< to stdout if `code` is 0, else to stderr
};

/// `args` without the name of the program.
harep_command parse_harep(const std::vector<std::string>& args,
                          const std::string& version,
                          const std::string& luxi_default,
                          const std::string& daemon_default);

} // namespace orderly
