// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The job submitter between an owner that listens and a queue made of glass.

#pragma once

#include "actors/jobs/submitter.hpp"
#include "actors/journal/journal.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <algorithm>

namespace orderly {

/// A job queue that the test sees into.
struct glass_queue {
  struct job {
    intent_id intent;
    job_id id = 0;
    job_status status = job_status::running;
    std::string reason;
    bool archived = false;
  };

  std::vector<job> jobs;
  /// What a submission is told; by default it is taken.
  std::function<reply<submit_answer>(const job_submission&)> on_submit
    = [this](const job_submission& q) { return says(take(q)); };

  submit_answer take(const job_submission& q) {
    submit_answer x;
    x.outcome = submit_outcome::accepted;
    for (const auto& spec : q.jobs) {
      jobs.push_back({intent_in_trail(spec.reason), 100 + jobs.size(),
                      job_status::running, spec.reason});
      x.ids.push_back(jobs.back().id);
    }
    return x;
  }

  void end(const intent_id& intent, job_status how) {
    for (auto& x : jobs)
      if (x.intent == intent)
        x.status = how;
  }

  [[nodiscard]] job_id id_of(const intent_id& intent) const {
    for (const auto& x : jobs)
      if (x.intent == intent)
        return x.id;
    return 0;
  }

  /// Answers at once if there is news, else when time is over.
  [[nodiscard]] reply<job_state> watch(const job_watch& q) const {
    job_state x;
    x.id = q.id;
    x.answered = true;
    x.status = job_status::lost;
    for (const auto& known : jobs)
      if (known.id == q.id)
        x.status = known.status;
    auto news = x.status != q.known;
    return says(std::move(x), news ? millis{100} : q.time_limit);
  }

  [[nodiscard]] trail_answer find(const trail_query& q) const {
    trail_answer x;
    x.answered = true;
    for (const auto& known : jobs)
      if (known.reason.find(q.needle) != std::string::npos
          && (q.archived || !known.archived))
        x.jobs.push_back(
          {known.id, known.status, known.reason, known.archived});
    return x;
  }
};

/// What an owner says when it has the last word.
struct last_words {
  consent say{true, {}};
  bool silent = false; ///< says nothing at all
  std::vector<intent_id> asked;
  std::vector<caf::typed_response_promise<consent>> unsaid;
  std::function<void()> on_ask = [] {}; ///< happens before it answers
};

struct owner_state {
  static inline const char* name = "owner";
};

inline job_client::behavior_type
listening_owner(job_client::stateful_pointer<owner_state> self,
                const std::shared_ptr<std::vector<job_event>>& heard,
                const std::shared_ptr<last_words>& last) {
  return {
    [heard](const job_event& e) { heard->push_back(e); },
    [self, last](const ask_consent& what) -> caf::result<consent> {
      last->asked.push_back(what.intent);
      last->on_ask();
      if (!last->silent)
        return last->say;
      last->unsaid.push_back(self->make_response_promise<consent>());
      return last->unsaid.back();
    },
  };
}

struct job_rig {
  explicit job_rig(settings rules = {}) : on(std::move(rules)) {
    port->submissions.answer
      = [this](const job_submission& q) { return queue.on_submit(q); };
    port->watches.answer
      = [this](const job_watch& q) { return queue.watch(q); };
    port->trails.answer
      = [this](const trail_query& q) { return says(queue.find(q)); };
    paper_port = on.keep(spawn_fake(on.system(), disk));
    queue_port = on.keep(spawn_fake(on.system(), port));
    onlooker = on.keep(spawn_fake(on.system(), seen));
    owner = on.enter(listening_owner, heard, last_said);
    start();
  }

  void start() {
    memory = on.enter(journal, on.ctx(), paper_port, onlooker);
    actor = on.enter(job_submitter, on.ctx(), queue_port, memory);
    on.settle();
    give_right();
  }

  /// The daemon dies and starts again; the disk and the queue stay.
  void restart() {
    on.kill(actor);
    on.kill(memory);
    start();
  }

  void give_right() {
    on.tell(actor, lease{true, on.now() + hours{100}, "right to act"});
  }

  void order(const intent_id& intent, millis deadline = minutes{30}) {
    job_order x;
    x.intent = intent;
    x.incident = "n-1";
    x.owner = "node:node1";
    x.why = "because";
    x.deadline = deadline;
    opcode op;
    op.kind = op_kind::node_set_offline;
    op.node = "node1";
    x.ops.push_back(op);
    on.tell(actor, std::move(x), owner);
  }

  /// A failover: not to be done twice.
  void order_once(const intent_id& intent) {
    job_order x;
    x.intent = intent;
    x.incident = "r-1";
    x.owner = "node:node1";
    x.why = "because";
    x.deadline = minutes{30};
    x.once = true;
    opcode op;
    op.kind = op_kind::instance_failover;
    op.instance = "web1";
    x.ops.push_back(op);
    on.tell(actor, std::move(x), owner);
  }

  /// Asks how it stands, and wants nothing done.
  void ask_for(const intent_id& intent) {
    job_order x;
    x.intent = intent;
    x.owner = "node:node1";
    on.tell(actor, std::move(x), owner);
  }

  /// How often it was sent, in all lives.
  std::size_t sent(const intent_id& intent) const {
    std::size_t result = 0;
    for (const auto& call : port->submissions.asked)
      for (const auto& job : call.jobs)
        if (intent_in_trail(job.reason) == intent)
          ++result;
    return result;
  }

  static std::string line_of(const job_event& e) {
    std::string result = to_string(e.phase);
    if (e.phase == job_phase::ended)
      result += std::string{" "} + to_string(e.status);
    return result;
  }

  /// All that the owner was told about `intent`.
  std::string told(const intent_id& intent) const {
    std::string result;
    for (const auto& e : *heard)
      if (e.intent == intent)
        result += (result.empty() ? "" : ", ") + line_of(e);
    return result;
  }

  /// The last of it.
  std::string last(const intent_id& intent) const {
    std::string result;
    for (const auto& e : *heard)
      if (e.intent == intent)
        result = line_of(e);
    return result;
  }

  std::shared_ptr<paper> disk = std::make_shared<paper>();
  std::shared_ptr<view_fake> seen = std::make_shared<view_fake>();
  std::shared_ptr<job_fake> port = std::make_shared<job_fake>();
  std::shared_ptr<std::vector<job_event>> heard
    = std::make_shared<std::vector<job_event>>();
  std::shared_ptr<last_words> last_said = std::make_shared<last_words>();
  glass_queue queue;
  stage on;
  journal_port paper_port;
  job_port queue_port;
  view_actor onlooker;
  job_client owner;
  journal_actor memory;
  job_submitter_actor actor;
};

} // namespace orderly
