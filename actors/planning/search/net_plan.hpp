// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Writes the result of a search anew: each instance goes straight to where it
// ends, in an order in which every move is allowed when its turn comes, the
// one that gains most first. Used by fast.cpp.

#pragma once

#include "actors/planning/search/fast.hpp"

namespace orderly::planning {

/// The steps, without scores, and the instances that do not get to their goal
/// because no order was found in which every step is allowed.
struct net_steps {
  std::vector<step> steps;
  std::size_t left = 0;
};

/// From `p` until as many instances as can be are at their `goal`.
net_steps net_plan(placement p, const std::vector<place>& goal,
                   const search_rules& rules, const fast_rules& fast);

} // namespace orderly::planning
