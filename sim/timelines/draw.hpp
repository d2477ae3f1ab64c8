// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Timelines drawn by a seed, without expectations: what holds of every timeline
// is looked at after they were played.

#pragma once

#include "sim/timelines/fleet.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace orderly::sim::timelines {

/// The scenario that is number `which` under `seed`: hosts, settings, inputs
/// and a script of 600 s.
json draw(std::uint64_t seed, std::uint64_t which);

/// What must not be in any timeline: a sentence each.
///   - a change of state that the table of host HA does not have
///   - instances released more often than the host was fenced
///   - a power-off of a fence before its maintenance
///   - more resets than attempts are allowed in as many incidents
std::vector<std::string> wrong_in(const chronicle& seen,
                                  std::int64_t resets_most);

struct timelines_wish {
  std::uint64_t seed = 1;
  std::uint64_t count = 1000;
  std::ostream* emit = nullptr; ///< for what was seen, as a suite
};

/// Draws, plays and judges so many. 0: nothing was wrong; 1: something was,
/// and is printed with its scenario.
int run_timelines(const timelines_wish& what, std::ostream& out);

} // namespace orderly::sim::timelines
