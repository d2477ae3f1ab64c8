// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Puts the moves of a squeeze in an order in which each step keeps all limits
// and takes N+1 from no node.

#pragma once

#include "actors/planning/search/exact.hpp"

namespace orderly::planning {

struct ordered_moves {
  std::vector<step> steps;
  bool whole = true; ///< everybody gets to its goal
};

/// From `p` to where everybody is at its `goal`, as far as it goes.
ordered_moves order_moves(placement p, const std::vector<place>& goal);

} // namespace orderly::planning
