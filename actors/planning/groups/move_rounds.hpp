// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Moves that run at the same time: in a round no node has a part in two of
// them. Moves from some nodes to others are as few rounds as the busiest node
// has moves, which is as few as can be: an edge colouring of a bipartite graph
// (König).

#pragma once

#include "actors/planning/search/exact.hpp"

namespace orderly::planning {

struct move_rounds {
  std::vector<int> of; ///< the round of each step
  int count = 0;
  int most_moves = 0; ///< of any node: fewer rounds cannot be
};

/// Of steps that may be made in any order. Those with mirrors, which have a
/// part on up to four nodes, take the first round that is free.
move_rounds rounds_of(const std::vector<step>& steps);

/// Of steps whose order matters where they meet on a node.
move_rounds levels_of(const std::vector<step>& steps);

/// Puts steps and rounds in the order of rounds.
void sort_by_rounds(std::vector<step>& steps, move_rounds& rounds);

} // namespace orderly::planning
