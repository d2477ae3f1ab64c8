// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a swarm draws around the nodes: links, informers, controllers that are
// wired wrongly, a luxid that stalls, jobs lost with their master, clocks, the
// journal's file, members that come and go. Used by swarm.cpp.

#pragma once

#include "sim/swarm/power.hpp"

#include <vector>

namespace orderly::sim {

/// One such story. Times are after the start of the run; what goes wrong is
/// made good again before `faults_for`.
std::vector<later_event> draw_world(dice& d, const world_plan& plan,
                                    millis faults_for);

} // namespace orderly::sim
