// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The actor of one repair event: shell of policy/maintenance. A supervised
// member, as nodes and instances are; the intake starts it, tells it what it
// decides from, and lets it go when it is forgotten.
//
// In the journal: `event:UUID`.

#pragma once

#include "actors/policy/maintenance/event.hpp"
#include "actors/shell/alarm.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/cluster.hpp"
#include "messages/protocol/event.hpp"
#include "messages/protocol/job_submitter.hpp"
#include "messages/protocol/mirror_reader.hpp"
#include "messages/protocol/ports.hpp"
#include "messages/protocol/scheduler.hpp"

#include <optional>

namespace orderly {

/// Whom an event's actor works with.
struct event_peers {
  journal_actor journal;
  permit_office scheduler;
  job_desk jobs;
  mirror_reader mirrors;
  agent_port agents;
  event_keeper keeper;
  picture_source cluster;
  copy_judge copies;
  event_listener view;
};

struct event_state {
  static inline const char* name = "event";

  context_ptr ctx;
  event_peers peers;
  std::string uuid;
  maintenance::state machine;
  fields kept; ///< of the machine, as the journal has it
  bool recovered = false;
  event_facts facts;
  alarm next;
  instant armed;
  event_standing told;
  std::size_t writing = 0; ///< rows on their way to the disk
  /// Of the order that is being taken in.
  std::optional<caf::typed_response_promise<event_order_answer>> asker;
  /// When it was asked how the copies are that a job relies upon.
  std::map<intent_id, instant> copies_asked;
  instant permits_kept; ///< when those of jobs under way were asked for again
};

/// What the journal and the members' supervisor call it.
object_id object_of_event(const std::string& uuid);

maintenance::rules event_rules(const settings& s);

event_actor::behavior_type
repair_event(event_actor::stateful_pointer<event_state> self, context_ptr ctx,
             event_peers peers, std::string uuid);

} // namespace orderly
