// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The intake: asks the agents of all nodes what they report, in or out of
// service, all at once and at their own interval; starts an actor for each new
// event; and tells every event what it decides from: the picture, whether it is
// its turn, and what holds it. The answers of one sweep are taken together, so
// that a bad collector shows before anything is begun.

#pragma once

#include "actors/maintenance/event.hpp"
#include "actors/policy/maintenance/crowd.hpp"
#include "actors/policy/maintenance/report.hpp"
#include "actors/shell/dice.hpp"
#include "actors/shell/supervisor.hpp"
#include "messages/protocol/balancer.hpp"
#include "messages/protocol/intake.hpp"
#include "messages/protocol/view.hpp"

#include <deque>
#include <optional>

namespace orderly {

/// Whom the intake works with.
struct intake_peers {
  journal_actor journal;
  permit_office scheduler;
  job_desk jobs;
  mirror_reader mirrors;
  evacuation_planner planner;
  upkeep_client balancer;
  event_viewer view;
  supervisor_actor members;
  job_port queue = {}; ///< only to be read
};

struct intake_state {
  static inline const char* name = "intake";

  /// What is known of an event.
  struct known {
    std::optional<event_standing> standing; ///< nullopt: it is being started
    event_actor actor;
    bool heard = false; ///< of the last sweep
  };

  /// Events that are kept at once, however many nodes ask for more.
  static constexpr std::size_t events_max = 5000;

  context_ptr ctx;
  intake_peers peers;
  agent_port agents;
  picture_source cluster;
  upkeep_client routes; ///< the cluster's actor again: who spreads the word
  copy_judge copies;    ///< likewise: who finds the instances
  alarm next;
  instant polled; ///< when all were asked last
  bool recovered = false;
  dice rolls{0};
  cluster_picture picture;
  instant read_at;
  lease right;
  std::map<node_name, node_standing> standings;
  std::set<node_name> apart; ///< of these: held, in trouble, or no place
  std::map<node_name, instant> freed;  ///< when a power-off let go of them
  std::map<std::string, known> events; ///< by UUID
  // the sweep under way
  std::uint64_t sweep = 0;
  std::size_t asked = 0; ///< answers that are still to come
  std::map<node_name, diagnosis> answers;
  std::map<node_name, std::string> asked_as; ///< UUIDs, as they were asked
  /// What each node said last, by name.
  std::map<node_name, maintenance::report> reports;
  std::map<node_name, instant> reported_at;
  std::map<node_name, std::string> answered_as; ///< its UUID in that sweep
  /// When an event of it was forgotten: older reports were about that one.
  std::map<node_name, instant> forgot;
  std::map<node_name, instant> worked; ///< ... that had begun a command

  struct stray {
    job_id job = 0;
    instant at;    ///< when it was seen last
    instant since; ///< ... and first
  };

  /// The last job of commands on a node that are known, of events that are
  /// forgotten, or that a person has looked at.
  std::map<node_name, job_id> own_last;

  /// The last job on a node of an event that is not known here.
  std::map<node_name, stray> strays;

  /// For commands of others that had ended before we could see them.
  struct {
    bool asked = false;
    bool done = false;
    std::uint64_t turn = 0; ///< of whose search the answer counts
  } search;

  std::uint64_t searches = 0;
  std::map<node_name, instant> refused_told;
  std::map<node_name, agent_row> agent_rows; ///< what persons are shown
  std::map<std::string, std::string> met;    ///< keys of agents, by node UUID
  // guards
  maintenance::crowd crowd;
  std::map<node_name, std::size_t> overrun;
  std::deque<instant> begun;      ///< events, within the last hour
  std::deque<instant> past_begun; ///< those of them that are forgotten
  std::set<std::string> at_work;
  std::set<std::string> slots; ///< events that may begin
  upkeep told;
  bool planning = false;
  std::set<std::string> want_plans;
};

intake_actor::behavior_type
intake(intake_actor::stateful_pointer<intake_state> self, context_ptr ctx,
       intake_peers peers, agent_port agents);

} // namespace orderly
