// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Host HA of one node, and what it is told of the picture.

#pragma once

#include "messages/cluster.hpp"
#include "messages/protocol/job_client.hpp"
#include "messages/protocol/permit_client.hpp"
#include "messages/protocol/tick.hpp"
#include "messages/protocol/type_ids.hpp"
#include "messages/standing.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <memory>
#include <string>
#include <vector>

namespace orderly {

/// A piece of the current picture, for one node.
struct node_facts {
  node_record record;
  bool is_self = false;   ///< our own machine
  bool is_master = false; ///< as the cluster names it
  /// Online nodes of the cluster, itself included if it is one. Never null.
  std::shared_ptr<const std::vector<node_name>> online;
  std::string held;     ///< automation leaves it alone, for this; or empty
  bool leaving = false; ///< an order is under way that will switch it off
  bool falling = false; ///< and has not done so yet
  std::string rising;   ///< an order is under way that will switch it on, or ""
  instant raised;       ///< when an order did so last, or tried to
  bool recorded_on = true; ///< by the cluster, or where it keeps no record, us
  power_wish wish;         ///< of a person, as the power switch told it last
  /// Jobs in the queue that are to mark it offline because orderly fenced it,
  /// this daemon or another one; their trails name the intent.
  std::vector<running_job> marks;
  bool is_home = false; ///< of something that should run
  /// Marked offline: who is at home there and may be started elsewhere.
  std::vector<instance_name> stranded;
  /// Marked offline: a failover or reinstallation in the queue, whoever sent
  /// it, takes it for dead.
  bool given_up = false;
  instant read_at;      ///< when that reading of the cluster began
  std::string disabled; ///< host HA is switched off for it, for this; or empty
};

/// Is told what was read of a node's power, or heard of its daemons, by whoever
/// asked for reasons of their own: what one of us knows all of us should.
using node_listener = caf::typed_actor<
  /// A status that is known, which was not read for the node's own actor.
  caf::reacts_to<power_report>,
  /// Its daemons answered a look that its own actor did not ask for. That
  /// they are silent is not told.
  caf::reacts_to<sighting>>;

/// Host HA of one node.
using node_actor = caf::typed_actor<
  /// When something of them changed, and with each reading for who asked for
  /// `attention`. Until the journal was read they are kept.
  caf::reacts_to<node_facts>,
  /// Answered after looks at the node, a reading of its power and a row on
  /// disk, which may take minutes; past its `until` none is taken. To take
  /// words back is answered at once.
  caf::replies_to<off_word>::with<off_word_answer>,
  /// A check is due, a deadline has come, or the offline mark is tried again.
  caf::reacts_to<tick>>::extend_with<node_listener>::extend_with<job_client>::
  extend_with<power_witness>::extend_with<permit_client>;

/// Is told how a node stands as soon as that changed.
using standing_client = caf::typed_actor<
  /// A proof is in it only after its row is on disk; that one fell is told at
  /// once, and waits for no disk.
  caf::reacts_to<node_standing>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::node_facts)
