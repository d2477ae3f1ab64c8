// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The cluster actor: the current picture of one cluster. Reads it from the
// cluster port, keeps one actor a node and an instance alive, and routes to
// each the piece that concerns it, when it changed.

#pragma once

#include "actors/supervisor.hpp"

#include <set>

namespace orderly {

struct cluster_state {
  static inline const char* name = "cluster";

  context_ptr ctx;
  services peers; ///< without `cluster`, which is us
  cluster_port port;
  leader_actor leader;
  supervisor_actor members;
  cluster_picture picture;
  instant asked_at; ///< when the reading under way began
  instant read_at;  ///< when the reading of `picture` began
  std::map<node_name, node_standing> standings;
  std::map<node_name, node_actor> nodes;
  std::map<instance_name, instance_actor> instances;
  std::set<instance_name> attentive;
  std::map<node_name, std::vector<std::size_t>> lodgers; ///< indices
  std::uint64_t generation = 0;                          ///< of the poll tick
  bool polling = false;
  bool soon = false; ///< a poll is due right after this one
  std::uint32_t failures = 0;
};

cluster_actor::behavior_type
cluster(cluster_actor::stateful_pointer<cluster_state> self, context_ptr ctx,
        services peers, cluster_port port, leader_actor leader,
        supervisor_actor members);

} // namespace orderly
