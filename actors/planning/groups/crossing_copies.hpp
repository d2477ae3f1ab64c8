// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a crossing is made of. A plan has it as one step, since nobody may stop
// in its middle; what it copies is counted by the moves that Ganeti makes.

#pragma once

#include "actors/planning/search/exact.hpp"

namespace orderly::planning {

/// The same with each crossing of a mirrored instance as its moves: a mirror
/// over there, the change to it, and its own mirror.
std::vector<step> moves_of_crossings(const cluster& c,
                                     const std::vector<step>& steps);

} // namespace orderly::planning
