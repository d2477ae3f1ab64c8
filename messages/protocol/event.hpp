// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Repair events: who does something about one, and who is told.

#pragma once

#include "messages/event.hpp"
#include "messages/event_facts.hpp"
#include "messages/permit.hpp"
#include "messages/plan.hpp"
#include "messages/protocol/job_client.hpp"
#include "messages/protocol/permit_client.hpp"
#include "messages/protocol/tick.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <map>
#include <string>
#include <vector>

namespace orderly {

/// Where what is on its node should go.
struct event_plan {
  evacuation_answer plan; ///< for all events that evacuate
};

/// One repair event.
using event_actor = caf::typed_actor<
  /// Take the place of those before. Until the journal was read they are kept,
  /// and nothing is decided.
  caf::reacts_to<event_facts>,
  /// After each sweep. One that comes before the journal was read is lost: the
  /// next sweep tells again.
  caf::reacts_to<event_report>,
  /// The answer to `plan_wanted`, possibly minutes later.
  caf::reacts_to<event_plan>,
  /// Answered when the row is on disk, and before what follows from it has
  /// ended; refused at once while the journal is read.
  caf::replies_to<event_order>::with<event_order_answer>,
  /// Its alarm: something of it is due.
  caf::reacts_to<tick>>::extend_with<job_client>::extend_with<permit_client>;

/// Is told how events stand.
using event_listener = caf::typed_actor<
  /// Whenever it changed and that is on disk; with the phase `forgotten` for
  /// the last time.
  caf::reacts_to<event_standing>>;

/// An event's actor is (again) alive.
struct event_started {
  std::string uuid;
};

/// An event wants to know where what is on its node should go.
struct plan_wanted {
  std::string uuid;
};

/// Who starts the actors of events, and is told by them.
using event_keeper = caf::typed_actor<
  /// With each new life of an event's actor.
  caf::reacts_to<event_started, event_actor>,
  /// Answered by `event_plan` to all who asked before the question was put;
  /// who asks while one is under way is answered by the next.
  caf::reacts_to<plan_wanted>>::extend_with<event_listener>;

/// Nodes at which an event works, and which: nothing goes there, and nobody
/// else moves what is on them. The whole list.
struct upkeep {
  std::map<node_name, std::string> nodes;

  friend bool operator==(const upkeep&, const upkeep&) = default;
};

/// Is told at which nodes events work.
using upkeep_client = caf::typed_actor<
  /// By the intake whenever the list changed; before the first one it is empty.
  caf::reacts_to<upkeep>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::event_facts)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::event_report)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::event_plan)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::event_started)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::plan_wanted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::upkeep)
