// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Our own way to switch nodes off and on: each group by itself, as few nodes
// on as can be found with N+1 and the cover of shared storage kept, and little
// to move.
//
//     group --well--> fewer nodes --found--> order --> plan
//           --not---> wake.hpp

#pragma once

#include "actors/planning/search/exact.hpp"
#include "actors/planning/squeeze/figures.hpp"

namespace orderly::planning {

/// What is to be done in one group, in indices of the cluster.
struct group_squeeze {
  int group = -1;
  int on_before = 0;
  int on_after = 0;
  least_nodes least;       ///< that could be on, if the group is well
  bool was_well = true;    ///< all on nodes had room, N+1 and cover
  bool is_well = true;     ///< the same, after the plan
  bool is_guessed = false; ///< nodes to switch on have figures of others
  std::vector<int> off;
  std::vector<int> on;
  std::vector<step> steps;
};

/// The same steps of a group's placement in indices of the cluster.
std::vector<step> in_cluster(const placement& p, std::vector<step> steps);

/// One for each group that has nodes, in the order of the cluster.
std::vector<group_squeeze> squeeze_groups(const cluster& c,
                                          const spare_factors& spare,
                                          const build_options& build);

} // namespace orderly::planning
