// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where the picture of the cluster is made, and what it is made with.

#pragma once

#include "messages/protocol/cluster_here.hpp"
#include "messages/protocol/group.hpp"
#include "messages/protocol/instance.hpp"
#include "messages/protocol/mirrors.hpp"
#include "messages/protocol/node.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace orderly {

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

/// What the picture is kept up to date with.
using picture_keeper = caf::typed_actor<
  /// Instances on that node get new facts, if it matters to them.
  caf::reacts_to<node_standing>,
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
using cluster_actor = cluster_host::extend_with<picture_keeper>::extend_with<
  member_keeper>::extend_with<node_listener>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::node_started)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::instance_started)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::group_started)
