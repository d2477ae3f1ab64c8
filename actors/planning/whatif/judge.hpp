// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Is a group of nodes well? It is if each of its nodes in service has the
// memory for the mirrors that it would have to take over (N+1), and the others
// could take over its instances on shared storage (cover).

#pragma once

#include "actors/planning/moves/placement.hpp"

namespace orderly::planning {

/// A node of the cluster, and how much is missing for it.
struct node_lack {
  int node = -1;
  mib missing = 0;

  bool operator==(const node_lack&) const = default;
};

struct group_state {
  int group = -1;
  int nodes = 0;                    ///< in service
  std::vector<node_lack> short_of;  ///< N+1: memory that it lacks itself
  std::vector<node_lack> uncovered; ///< instances that the others do not take

  bool is_well() const { return short_of.empty() && uncovered.empty(); }

  bool operator==(const group_state&) const = default;
};

/// Of a placement that is one group.
group_state state_of(const placement& p, int group);

/// Of each group that has nodes.
std::vector<group_state> states_of(const cluster& c,
                                   const build_options& build);

} // namespace orderly::planning
