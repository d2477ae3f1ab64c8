// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The instance actor: auto-repair of one instance. Shell of
// policy/repair: it feeds fresh facts and job news to the machine, writes
// every decision down and carries it out afterwards.

#pragma once

#include "actors/policy/repair/autorepair.hpp"
#include "actors/shell/alarm.hpp"
#include "actors/shell/dice.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/balancer.hpp"
#include "messages/protocol/cluster.hpp"
#include "messages/protocol/collector.hpp"
#include "messages/protocol/instance.hpp"
#include "messages/protocol/job_submitter.hpp"
#include "messages/protocol/mirror_reader.hpp"
#include "messages/protocol/power_switch.hpp"
#include "messages/protocol/recollection.hpp"
#include "messages/protocol/scheduler.hpp"
#include "messages/protocol/view.hpp"

#include <caf/typed_response_promise.hpp>

#include <set>

namespace orderly {

/// Whom an instance's actor works with.
struct instance_peers {
  recalling_journal journal;
  node_checker collector;
  permit_office scheduler;
  power_switch oob;
  job_desk jobs;
  picture_source cluster;
  place_finder balancer; ///< or nobody
  instance_client view;
  mirror_reader copies; ///< or nobody
};

/// Somebody asked for a repair, and its tag is being written.
struct asked_repair {
  incident_id repair;
  caf::typed_response_promise<repair_answer> promise;
  std::string text; ///< what follows
};

struct instance_state {
  static inline const char* name = "instance";

  context_ptr ctx;
  instance_peers peers;
  instance_name instance;
  std::string uuid; ///< of whom it is about; empty: not known
  autorepair::state machine;
  std::optional<instance_facts> facts;
  dice rolls{0};
  instant born; ///< of the actor
  bool recovered = false;
  /// By the newest facts it was marked down while its home was not heard.
  bool shut_unheard = false;
  /// The newest reading in which another one was its mirror; `never`: none was,
  /// or what is known of its copy tells more.
  instant unlike;
  bool resume_due = false; ///< a step from before a restart is under way
  bool waits = false;      ///< for a permit that was refused
  bool permit_asked = false;
  std::map<job_id, job_standing> earlier; ///< jobs of repairs taken over
  instant earlier_asked_at;               ///< when they were asked for last
  bool asking_earlier = false;
  incident_id traced;          ///< whose jobs were searched for last
  instant traced_at;           ///< and when that was asked
  std::vector<job_id> trailed; ///< and found
  std::optional<autorepair::room_view> room;
  instant room_at; ///< when it was asked for
  bool asking_room = false;
  intent_id ended;      ///< our job that ended last: an old picture may show it
  job_id ended_job = 0; ///< a later one of that name was read late
  permit_request permitted; ///< the permit that was asked for last
  instant permitted_at;     ///< and when
  intent_id placing;        ///< of the job for which a place is asked
  intent_id headed;         ///< of the job that was sent last
  instant headed_at; ///< since when that is about to leave; `never`: it is not
  std::vector<opcode> heading; ///< what it does, with the nodes found for it
  instant homes_asked;         ///< are the old homes dead?
  intent_id withdraw_late;     ///< it is not wanted any more, once it is sent
  std::set<intent_id> voided;  ///< whose token was removed: they do nothing
  bool attentive = false;      ///< the cluster actor was asked for fresh facts
  bool kept = false;           ///< something is kept under our name
  fields nameless;             ///< what is kept under our uuid
  /// Names that it bore, as long as a repair may have jobs under them.
  std::vector<instance_name> former;
  bool older = false; ///< the journal may not know what was sent
  std::map<intent_id, asked_repair> asked;
  alarm next; ///< look
  instance_standing shown;
};

instance_actor::behavior_type
instance(instance_actor::stateful_pointer<instance_state> self, context_ptr ctx,
         instance_peers peers, instance_name name, std::string uuid);

} // namespace orderly
