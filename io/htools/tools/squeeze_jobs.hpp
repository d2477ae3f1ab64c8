// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// hsqueeze -X: moves, tags and power as sets of jobs, run in their order.

#pragma once

#include "io/htools/jobs/run_jobs.hpp"
#include "io/htools/tools/squeeze_text.hpp"

#include <functional>

namespace orderly::io::htools {

/// What is done before nodes that are switched on can be used, then what
/// brings them back, and all the rest. Sets that do nothing are left out.
struct squeeze_sets {
  std::vector<move_set> power_on;
  std::vector<move_set> back; ///< fails until the nodes have started
  std::vector<move_set> rest;
  std::vector<move_set> off; ///< marks and switches off what is empty by then
};

squeeze_sets sets_of(const planning::placement& p, const told_squeeze& x,
                     const std::string& meta);

/// Runs them; empty, or why not all is done. `starting` is how long nodes may
/// take to start. The moves may take hours, in which others bring instances
/// there: right before each set of `off` `occupied` says what is not empty any
/// more, or nothing.
std::string run_squeeze(const std::string& socket, const squeeze_sets& sets,
                        const run_watch& watch, std::chrono::seconds starting,
                        const std::function<std::string()>& occupied);

} // namespace orderly::io::htools
