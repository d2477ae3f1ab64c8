// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The balancer: moves instances that are well, when nothing more urgent is on.
// Shell of policy/balance: it reads the model, has plans made, and sends what
// the machine decides. Beside the rounds it has plans made for people to look
// at, and says where an instance should go that a repair has to move.
//
// In the journal: `balance` (the round, the moves that were sent, whose move
// failed).

#pragma once

#include "actors/policy/balance/balance.hpp"
#include "actors/shell/alarm.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/balancer.hpp"
#include "messages/protocol/job_submitter.hpp"
#include "messages/protocol/mirror_reader.hpp"
#include "messages/protocol/ports.hpp"
#include "messages/protocol/scheduler.hpp"
#include "messages/protocol/view.hpp"

#include <caf/typed_response_promise.hpp>

#include <deque>

namespace orderly {

/// Whom the balancer works with.
struct balancer_peers {
  journal_actor journal;
  permit_office scheduler;
  job_desk jobs;
  view_reader view;
  mirror_reader mirrors;
};

struct balancer_state {
  static inline const char* name = "balancer";

  /// Questions for a place that wait; more get no answer of ours.
  static constexpr std::size_t places_max = 1000;
  /// Until then the job of a promised place is in the queue, or none comes.
  static constexpr millis promise_grace = minutes{1};
  /// A plan that people asked for is kept so long before that of a round.
  static constexpr millis shown_for = minutes{1};

  /// A plan that is only shown.
  struct show {
    std::uint64_t asked = 0;  ///< number of the last one that was asked for
    std::uint64_t making = 0; ///< number of the one under way; 0: none
    std::uint64_t ready = 0;
    std::set<instance_name> explained;  ///< by the next one
    std::set<instance_name> explaining; ///< by the one under way
    instant at;
    plan_answer plan;
    std::vector<std::string> remarks;
  };

  /// Where an instance will be when what it was asked for is done.
  struct promise {
    instance_place place;
    instance_place before; ///< where it was then
    instant at;
  };

  /// Somebody waits for places for all that is on some nodes.
  struct evacuator {
    evacuation_wanted what;
    caf::typed_response_promise<evacuation_answer> answer;
  };

  /// Somebody waits for a place.
  struct seeker {
    place_question what;
    caf::typed_response_promise<target_answer> answer;
    instant at;
  };

  context_ptr ctx;
  balancer_peers peers;
  model_port model;
  planner_port planner;
  planner_port placer;
  balance::state machine;
  bool unkept = false; ///< the journal has it otherwise
  bool recovered = false;
  alarm next;
  instant armed;
  // what is known of the world
  cluster_picture picture;
  instant read_at;
  instant permits_kept; ///< when those of jobs under way were asked for again
  lease right;          ///< as the leader told it last
  std::map<node_name, std::string> troubled;
  std::set<node_name> unwell;
  std::map<node_name, std::string> leaving; ///< a person ordered them off
  // the last model, and since when it is known
  model_answer figures;
  instant figures_at;
  bool reading_figures = false; ///< for places
  instant read_again;           ///< not before, after a failure
  std::uint32_t failures = 0;
  show shown;
  std::deque<seeker> seekers;
  std::vector<evacuator> evacuators;
  std::map<node_name, std::string> upkeep; ///< repair events work there
  bool placing = false;
  std::map<instance_name, promise> promises;
};

balancer_actor::behavior_type
balancer(balancer_actor::stateful_pointer<balancer_state> self, context_ptr ctx,
         balancer_peers peers, const ports& world);

} // namespace orderly
