// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One group cut out of a large cluster: its nodes, what concerns them, and
// instances of elsewhere that might come. Planning group by group on cuts takes
// time and memory by the size of a group instead of that of the cluster.

#pragma once

#include "actors/planning/model/cluster.hpp"

namespace orderly::planning {

struct group_cut {
  /// Groups keep their numbers. Instances that might come are on no node, and
  /// are the last ones.
  cluster part;
  std::vector<int> nodes;     ///< of each node of `part`, its number before
  std::vector<int> instances; ///< the same of each instance
};

/// Cuts of one cluster, which must outlive it.
class group_cuts {
public:
  explicit group_cuts(const cluster& c);

  /// With the instances that might come, in this order.
  group_cut of(int group, const std::vector<int>& coming) const;

  const std::vector<int>& instances_of(int group) const {
    return instances_[at(group)];
  }

private:
  const cluster& c_;
  std::vector<std::vector<int>> nodes_;
  /// Of each group, all that have a primary or a secondary there.
  std::vector<std::vector<int>> touching_;
  std::vector<std::vector<int>> instances_; ///< with their primary there
};

} // namespace orderly::planning
