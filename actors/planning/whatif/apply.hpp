// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The cluster as a change leaves it, before anybody has moved anything: what is
// lost is out of service, what is new is there and empty. Names that nobody has
// and changes that contradict each other are refused as a whole.

#pragma once

#include "actors/planning/whatif/changes.hpp"
#include "messages/result.hpp"

namespace orderly::planning {

/// New instances of one size that want a place.
struct wanted_instances {
  std::int64_t count = 0;
  instance_spec size; ///< which is nowhere
  int group = -1;     ///< -1: in any that is open

  bool operator==(const wanted_instances&) const = default;
};

struct changed_cluster {
  /// New nodes come last, in the order of what they are; lost instances are
  /// left out.
  cluster now;
  std::vector<int> lost_instances; ///< indices before the change
  std::vector<bool> is_lost;       ///< of each node
  std::vector<bool> is_drained;    ///< of each node that was in service
  std::vector<bool> is_emptied;    ///< of each group
  std::vector<int> added;          ///< nodes
  std::vector<wanted_instances> wanted;
};

/// The fault names what is unknown or contradicts itself, and what to do.
result<changed_cluster> apply(const cluster& c, const change_set& x);

/// Is no copy of its disks on a node that lives? `is_lost` is of each node.
bool is_lost_with(const instance_spec& x, const std::vector<bool>& is_lost);

} // namespace orderly::planning
