// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a swarm draws around the power switch: persons at a console, power
// control of several levels, helpers that cannot be run, Ganeti's watcher.
// Used by swarm.cpp.

#pragma once

#include "sim/swarm/repair.hpp"

#include <string>
#include <utility>
#include <vector>

namespace orderly::sim {

/// A fault or a command line, so long after the first one of its story.
using later_event = std::pair<millis, std::string>;

/// A story about one node or some; it is over about `lasts` after its begin.
std::vector<later_event> draw_power_story(dice& d, const world_plan& plan,
                                          millis lasts);

/// Settings about power that differ from the defaults: key and value.
std::vector<std::pair<std::string, std::string>> draw_power_rules(dice& d);

/// Lists of levels by node; mostly none.
std::vector<std::pair<std::string, std::vector<std::string>>>
draw_levels(dice& d, const world_plan& plan);

} // namespace orderly::sim
