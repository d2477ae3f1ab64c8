// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where the picture of the cluster is made, and what it is made with.

#pragma once

#include "messages/ha_switches.hpp"
#include "messages/permit.hpp"
#include "messages/protocol/event.hpp"
#include "messages/protocol/group.hpp"
#include "messages/protocol/instance.hpp"
#include "messages/protocol/mirrors.hpp"
#include "messages/protocol/node.hpp"
#include "messages/protocol/ports.hpp"
#include "messages/protocol/type_ids.hpp"
#include "messages/view.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <map>
#include <set>
#include <string>

namespace orderly {

/// Which nodes automation leaves alone, and why: an emergency power-off is
/// under way there; and which are as good as gone, because a person ordered
/// them off. The whole lists, by the desk; once at its start even if they are
/// empty, because the cluster actor reads nothing before it knows.
struct holds {
  std::map<node_name, std::string> nodes;
  /// Nothing is placed there: "power-3 of root will switch it off".
  std::map<node_name, std::string> leaving;
  /// Those of `leaving` whose step was not made yet: they are not reset before.
  std::set<node_name> falling;
  /// Nothing may rely on their being off: "power-4 of root will switch it on".
  std::map<node_name, std::string> rising;
  /// When an order switched them on, or tried to: what was read off before is
  /// worth nothing.
  std::map<node_name, instant> raised;
  ha_switches switches; ///< of host HA

  friend bool operator==(const holds&, const holds&) = default;
};

/// The power records that the cluster cannot keep, and what persons want. The
/// whole lists, by the desk: nodes not named are recorded on.
struct power_records {
  std::set<node_name> off;
  std::map<node_name, power_wish> wishes;
};

/// A child of ours is (again) alive: its handle changed.
struct node_started {
  node_name node;
};

/// Likewise.
struct instance_started {
  instance_name instance;
};

/// Likewise.
struct group_started {
  group_name group; ///< empty: the cluster as a whole
};

/// An instance or node actor has work under way and wants fresh facts with
/// every reading, or no longer. Either way the next reading shall be soon, but
/// not for a node that wants no more; without a name that is all that is asked
/// for.
struct attention {
  instance_name instance; ///< empty: none
  bool wanted = true;
  node_name node; ///< empty: none
};

/// How much room do the spare nodes of this instance have? The answer may be
/// as old as the settings allow.
struct room_question {
  instance_name instance;
};

/// What the members ask of the picture.
using picture_source = caf::typed_actor<
  /// The next reading begins within a second of this, or of the end of the
  /// one under way. Before the holds are known it begins no sooner.
  caf::reacts_to<attention>,
  /// Answered at once if the group was asked within half of
  /// `autorepair.room_max_age`, else after a question to its nodes. The
  /// instance's own nodes are left out.
  caf::replies_to<room_question>::with<room_answer>>;

/// What persons ask of the cluster.
using cluster_counter = caf::typed_actor<
  /// Passed on to the instance's actor; refused at once if there is none, or
  /// if the cluster was not read yet.
  caf::replies_to<repair_request>::with<repair_answer>,
  /// Passed on to the node's actor; not taken if there is none, or none yet.
  caf::replies_to<off_word>::with<off_word_answer>,
  /// Passed on to the cluster port. Silence: nobody knows whether it rests.
  caf::replies_to<pause_watcher>::with<watcher_answer>>;

/// Is told what persons' errands mean for nodes.
using holds_client = caf::typed_actor<
  /// By the cluster actor, when `leaving` changed: only that is sure to be new.
  caf::reacts_to<holds>>;

/// What the picture is kept up to date with.
using picture_keeper = caf::typed_actor<
  /// Instances on that node get new facts, if it matters to them.
  caf::reacts_to<node_standing>,
  /// By the desk, when something of it changed. The first one begins the
  /// readings; members whom a later one concerns hear of it at once.
  caf::reacts_to<holds>,
  /// Takes the place of the lists before; before the first one all nodes
  /// count as recorded on by us, and nobody wants anything.
  caf::reacts_to<power_records>,
  /// Its alarm: the next reading is due.
  caf::reacts_to<tick>>::extend_with<mirror_listener>;

/// Is told by members, and of them.
using member_keeper = caf::typed_actor<
  /// With each new life of a member, which then gets its facts at once. A group
  /// without tags about auto-repair gets none.
  caf::reacts_to<node_started, node_actor>,
  caf::reacts_to<instance_started, instance_actor>,
  caf::reacts_to<group_started, group_actor>>::extend_with<group_listener>;

/// The current picture of the cluster: it sends no job, and decides nothing.
using cluster_actor = picture_source::extend_with<cluster_counter>::extend_with<
  picture_keeper>::extend_with<member_keeper>::extend_with<node_listener>::
  extend_with<upkeep_client>::extend_with<copy_judge>;

/// Where the cluster's picture is made.
struct cluster_here {
  cluster_actor cluster;
};

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::holds)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::power_records)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::node_started)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::instance_started)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::group_started)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::attention)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::room_question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::cluster_here)
