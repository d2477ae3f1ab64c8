// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Fake ports and neighbours: they write down what they were asked, and say
// what the test wants them to say, when it wants it.

#pragma once

#include "messages/protocol/balancer.hpp"
#include "messages/protocol/cluster.hpp"
#include "messages/protocol/collector.hpp"
#include "messages/protocol/desk.hpp"
#include "messages/protocol/job_submitter.hpp"
#include "messages/protocol/journal.hpp"
#include "messages/protocol/leader.hpp"
#include "messages/protocol/power_switch.hpp"
#include "messages/protocol/scheduler.hpp"
#include "messages/protocol/view.hpp"

#include <caf/actor_system.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace orderly {

/// What a fake says, after a while; without an answer it hangs for ever.
template <class Answer>
struct reply {
  std::optional<Answer> answer;
  millis after{0};
};

template <class Answer>
reply<Answer> says(Answer x, millis after = millis{0}) {
  return {std::move(x), after};
}

/// One kind of question.
template <class Question, class Answer>
struct desk {
  std::vector<Question> asked;
  std::function<reply<Answer>(const Question&)> answer
    = [](const Question&) { return reply<Answer>{}; };
};

struct power_fake {
  desk<power_request, power_answer> calls;
  desk<program_question, program_answer> programs;

  /// The calls that were no readings.
  [[nodiscard]] std::vector<power_verb> commands() const;
};

struct probe_fake {
  desk<probe_request, sighting> health;
  desk<activity_request, activity_answer> activity;
};

struct job_fake {
  desk<job_submission, submit_answer> submissions;
  desk<job_watch, job_state> watches;
  desk<trail_query, trail_answer> trails;
  desk<job_lookup, job_lookup_answer> lookups;
  std::vector<job_id> cancelled; ///< without any effect
  bool cancels_heard = true;     ///< else there is no answer to that
};

/// Durable memory: it outlives the journal actor. What it answers can be
/// replaced; by default it writes at once and reads truly.
struct paper {
  paper();

  std::vector<journal_entry> entries;
  std::map<std::string, fields> states;
  desk<journal_batch, journal_ack> writes;
  desk<journal_read, journal_contents> reads;
  /// Called for each entry when it became durable.
  std::function<void(const journal_entry&)> on_entry;

  void write(const journal_batch& batch);
  [[nodiscard]] journal_contents contents() const;

  /// How many durable entries have this code.
  [[nodiscard]] std::size_t count(const std::string& code) const;
};

struct model_fake {
  desk<read_model, model_answer> reads;
};

struct planner_fake {
  desk<plan_question, plan_answer> plans;
  desk<target_question, target_answer> targets;
};

/// Keeps the orders; whoever tests says how they end.
struct submitter_fake {
  std::vector<job_order> orders;
  std::vector<intent_id> withdrawn;
};

/// A balancer that only says where instances should go.
struct places_fake {
  desk<place_question, target_answer> places;
};

struct view_fake {
  view_answer answer; ///< to every question
  std::vector<journal_entry> entries;
  guard_standing guard;
  lease right;
  std::map<node_name, accepted_order> ordered;
};

power_port spawn_fake(caf::actor_system& sys, std::shared_ptr<power_fake> x);
probe_port spawn_fake(caf::actor_system& sys, std::shared_ptr<probe_fake> x);
job_port spawn_fake(caf::actor_system& sys, std::shared_ptr<job_fake> x);
journal_port spawn_fake(caf::actor_system& sys, std::shared_ptr<paper> x);
view_actor spawn_fake(caf::actor_system& sys, std::shared_ptr<view_fake> x);
model_port spawn_fake(caf::actor_system& sys, std::shared_ptr<model_fake> x);
planner_port spawn_fake(caf::actor_system& sys,
                        std::shared_ptr<planner_fake> x);
balancer_actor spawn_fake(caf::actor_system& sys,
                          std::shared_ptr<places_fake> x);
job_submitter_actor spawn_fake(caf::actor_system& sys,
                               std::shared_ptr<submitter_fake> x);

} // namespace orderly
