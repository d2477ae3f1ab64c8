// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What steps come to that may lead from group to group: the cluster behind
// them, and the moves that Ganeti makes of them.

#pragma once

#include "actors/planning/search/exact.hpp"

namespace orderly::planning {

/// `c` after `steps`: where instances are, and what nodes have left. Tools save
/// it, and a planner that works in stages begins the next one with it.
cluster crossed_cluster(const cluster& c, const std::vector<step>& steps);

/// The same with each crossing of a mirrored instance as its moves: a mirror
/// over there, the change to it, and its own mirror. A plan has it as one step,
/// since nobody may stop in its middle; what it copies is counted by the moves.
std::vector<step> moves_of_crossings(const cluster& c,
                                     const std::vector<step>& steps);

} // namespace orderly::planning
