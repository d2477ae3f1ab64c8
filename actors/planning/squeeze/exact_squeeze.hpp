// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The reference's way to switch nodes off and on, decision for decision: over
// all groups at once, from the node with the fewest instances, each set of
// nodes balanced to the end to see whether it will do.

#pragma once

#include "actors/planning/search/exact.hpp"
#include "actors/planning/squeeze/standby.hpp"

namespace orderly::planning {

/// What is to be done, in indices of the cluster.
struct switch_plan {
  enum class what { nothing, off, on };

  what kind = what::nothing;
  std::vector<int> nodes; ///< to switch, in the order in which they are shown
  std::vector<step> steps;
  bool enough = true; ///< false: not even all nodes on are enough
};

switch_plan squeeze_exactly(const cluster& c, const spare_factors& spare,
                            const build_options& build);

} // namespace orderly::planning
