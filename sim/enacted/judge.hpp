// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Plays a timeline of host HA on the machine alone, as its specification sees
// it, and on the actors that run a cluster. Where those show something else and
// are meant to, that is told, and no failure. Used by conformance.

#pragma once

#include "sim/timelines/play.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace orderly::sim::enacted {

/// On what it is played.
enum class player {
  machine, ///< alone
  actors,  ///< those of nodes, and all that they work with
  both,
};

/// Empty: all is as expected. What is to be told of it goes into `said`. Throws
/// std::invalid_argument or json::exception if it cannot be played.
std::vector<timelines::mismatch> judge(const timelines::json& scenario,
                                       player by, std::string& said);

/// What was seen under the keys of its `expect`; of actors if only those play.
timelines::json seen_as_expected(const timelines::json& scenario, player by);

/// Draws so many as `timelines::run_timelines` and plays each on both: prints
/// how many were equal, and how often each difference that is meant was met. 0:
/// there was no other; 1: there was, and is printed with its timeline.
int judge_drawn(std::uint64_t seed, std::uint64_t count, std::ostream& out);

} // namespace orderly::sim::enacted
