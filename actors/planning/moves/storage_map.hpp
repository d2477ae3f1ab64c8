// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which node reaches which instance's volumes. Pools become small numbers here,
// once; moves and allocation ask before they look at anything else. Where
// nobody says what a node reaches, it reaches all, as Ganeti has it.

#pragma once

#include "actors/planning/model/cluster.hpp"

#include <map>

namespace orderly::planning {

/// Where its volumes are: what it says, what its template has in this cluster,
/// or what the template says. Nothing if it has no volumes.
std::optional<storage_pool> pool_of(const cluster& c, const instance_spec& x);

class storage_map {
public:
  storage_map() = default;

  /// Of these nodes and instances, in their order.
  storage_map(const cluster& c, const std::vector<int>& nodes,
              const std::vector<int>& instances);

  /// Is there any node that does not reach everything?
  bool any() const { return any_; }

  bool reaches(int node, int instance) const {
    return !any_ || reaches_pool(node, wanted_[at(instance)]);
  }

  /// The number of its pool, in the order of type and name; -1 if it has none.
  int pool(int instance) const { return any_ ? wanted_[at(instance)] : -1; }

  bool reaches_pool(int node, int pool) const {
    return !any_ || pool < 0 || reached_[at(node)][at(pool)];
  }

  /// One more instance like this one.
  void add_copy(int instance);

  /// The instance has volumes as `x` has.
  void change(int instance, const cluster& c, const instance_spec& x);

private:
  int number_of(const std::optional<storage_pool>& x) const;

  bool any_ = false;
  std::map<storage_pool, int> numbers_;
  std::vector<std::vector<bool>> reached_; ///< of each node, by pool
  std::vector<int> wanted_;                ///< of each instance
};

} // namespace orderly::planning
