// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What of the cluster's actor the desk and repair events need to know.

#pragma once

#include "messages/protocol/event.hpp"
#include "messages/protocol/holds.hpp"
#include "messages/protocol/instance.hpp"
#include "messages/protocol/ports.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace orderly {

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

/// The cluster's actor as others than its members know it.
using cluster_host = picture_source::extend_with<cluster_counter>::extend_with<
  upkeep_client>::extend_with<copy_judge>::extend_with<holds_keeper>;

/// Where the cluster's picture is made.
struct cluster_here {
  cluster_host cluster;
};

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::attention)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::room_question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::cluster_here)
