// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the tags of a cluster say about placement: which tags of instances
// exclude each other, where nodes are, and between which nodes one may
// migrate. Texts become small sorted numbers here, once; placement.cpp uses
// them.

#pragma once

#include "actors/planning/model/cluster.hpp"

#include <map>

namespace orderly::planning {

/// Sorted numbers of tags.
using label_set = std::vector<int>;

struct labels {
  /// Of each instance: the tags of which one node should hold one.
  std::vector<label_set> exclusion;
  /// Of each instance: the locations that it wants.
  std::vector<label_set> desired;
  /// Of each node: where it is.
  std::vector<label_set> location;
  /// Of each node: what an instance that comes from it may demand.
  std::vector<label_set> migration;
  /// Of each node: what it offers to an instance that comes to it.
  std::vector<label_set> accepts;
  /// True if any node has a location or any instance wants one.
  bool any_location = false;
  /// True if any node demands something of migrations.
  bool any_migration = false;

  bool may_migrate(int from, int to) const;
};

/// `more` are further prefixes of excluding tags, complete with their colon.
labels read_labels(const cluster& c, const std::vector<std::string>& more);

bool contains_all(const label_set& whole, const label_set& part);
int common_labels(const label_set& a, const label_set& b);
bool has_label(const label_set& set, int x);

} // namespace orderly::planning
