// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The cluster actor: the current picture of one cluster. Reads it from the
// cluster port, keeps one actor a node, an instance and a group alive, and
// routes to each the piece that concerns it, when it changed.

#pragma once

#include "actors/group/group.hpp"
#include "actors/instance/instance.hpp"
#include "actors/mirrors/mirrors.hpp"
#include "actors/node/node.hpp"
#include "actors/shell/alarm.hpp"
#include "actors/shell/supervisor.hpp"
#include "messages/protocol/cluster.hpp"
#include "messages/protocol/leader.hpp"
#include "messages/protocol/picture_news.hpp"
#include "messages/protocol/scheduler.hpp"

#include <set>

namespace orderly {

/// What a group's nodes in service said of their room.
struct room_reading {
  room_answer answer;
  instant at;
};

/// What all members share of one picture, worked out once.
struct cluster_digest {
  std::map<group_name, std::uint32_t> spares;
  std::map<instance_name, std::vector<running_job>> jobs;
  std::map<node_name, std::vector<running_job>> marks; ///< of fenced nodes
  std::shared_ptr<const std::vector<node_name>> online;
  /// See `instance_facts`.
  std::shared_ptr<const std::map<node_name, std::string>> unfit;
  /// Of the tags of groups and cluster only those about auto-repair: each
  /// instance gets them, and there may be thousands of others.
  std::map<group_name, std::vector<std::string>> group_tags;
  std::vector<std::string> cluster_tags;
  /// Ids of repairs on more than one instance, and on which: the first two.
  std::map<incident_id, std::vector<instance_name>> shared;
};

/// What was seen of the tags that set something for the whole cluster.
struct setting_sight {
  std::vector<std::string> tags;
  settings_ptr file; ///< beside which they were judged
  /// Those of keys that had several tags at the last reading; it is told if
  /// the next one shows them too.
  std::vector<std::string> several;
  std::set<std::string> told; ///< not heeded, and a person knows
};

/// Whom the picture's actor works with.
struct cluster_peers {
  warned_office scheduler;
  mirrors_actor mirrors;
  holds_client balancer;
  std::vector<picture_client> told; ///< of every reading, in this order
  node_peers of_nodes;              ///< for the nodes' actors, but for us
  instance_peers of_instances;      ///< likewise
  group_peers of_groups;            ///< likewise
};

struct cluster_state {
  static inline const char* name = "cluster";

  context_ptr ctx;
  cluster_peers peers;
  cluster_port port;
  leader_actor leader;
  supervisor_actor members;
  cluster_picture picture;
  picture_change_ptr change; ///< by the last reading; null: nothing changed
  cluster_digest digest;     ///< of `picture`
  instant asked_at;          ///< when the reading under way began
  instant read_at;           ///< when the reading of `picture` began
  std::map<node_name, node_standing> standings;
  std::map<node_name, std::string> held;    ///< why automation keeps out
  std::map<node_name, std::string> leaving; ///< ordered off; nothing goes there
  /// Those of `leaving` whose order has ended since then: what came of it only
  /// a later picture shows.
  std::map<node_name, instant> parting;
  holds said;                               ///< by the desk last
  std::map<node_name, std::string> upkeep;  ///< repair events work there
  std::map<node_name, instant> troubled_at; ///< since when we know
  std::map<node_name, std::string> rising;  ///< ordered on, and not on yet
  std::set<node_name> recorded_off;         ///< where the cluster cannot say it
  std::map<node_name, power_wish> wishes;   ///< of persons, for the power
  bool told_of_holds = false; ///< before that nobody is fed any facts
  std::map<node_name, node_actor> nodes;
  std::map<instance_name, instance_actor> instances;
  std::set<instance_name> attentive;
  std::set<node_name> attentive_nodes;
  std::map<node_name, std::vector<std::size_t>> lodgers;    ///< indices
  std::map<node_name, std::vector<instance_name>> stranded; ///< by home
  /// How many that should run are at home there; nodes with none are left out.
  std::map<node_name, std::uint32_t> homes;
  std::set<node_name> given_up; ///< see `node_facts`
  alarm next;                   ///< poll
  bool polling = false;
  bool soon = false; ///< a poll is due right after this one
  std::uint32_t failures = 0;
  std::map<instance_name, mirror_standing> mirrors; ///< as heard last
  std::map<group_name, room_reading> rooms;
  std::map<group_name, group_actor> groups; ///< "": the cluster as a whole
  std::set<group_name> tagged;              ///< those that know of tags
  std::set<group_name> removing; ///< those with a removal of tags under way
  setting_sight settings_seen;
};

cluster_actor::behavior_type
cluster(cluster_actor::stateful_pointer<cluster_state> self, context_ptr ctx,
        cluster_peers peers, cluster_port port, leader_actor leader,
        supervisor_actor members);

} // namespace orderly
