// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Balances every node group of a cluster by itself, within bounds that all
// share: what one group leaves of time, work and steps goes to the next. The
// planner asks it.

#pragma once

#include "actors/planning/search/fast.hpp"

#include <memory>

namespace orderly::planning {

struct group_rules {
  std::vector<bool> closed; ///< nodes that no move touches; by index
  double threshold = 0; ///< least gain while the score is below ten times it
  double move_cost = 0;
  bool disk_moves = true;
  /// The plan ends before a step that does not gain enough by itself: for those
  /// who carry out a part of it and then plan anew.
  bool each_gains = false;
  int steps_max = -1; ///< of all groups together; no bound if negative
  std::int64_t effort_max = 0;
  /// Seconds that are left for all; without it there is no deadline.
  std::function<double()> left;
};

/// One group, planned. Its placements are of the cluster that was given.
struct balanced_group {
  int group = -1;
  placement before;
  placement after;
  search_rules rules;
  double rate = 0; ///< what a unit of cost must take off the score
  fast_plan plan;
  bool scored = true; ///< false: its figures give no score, nothing is planned
  std::vector<std::uint32_t> waves; ///< of each step
};

/// One for each group, in the order of the cluster; `c` must outlive them.
std::vector<balanced_group> balance_groups(const cluster& c,
                                           const group_rules& rules);

} // namespace orderly::planning
