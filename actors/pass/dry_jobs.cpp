// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/pass/dry_jobs.hpp"

#include "messages/protocol/ports.hpp"
#include "messages/protocol/tick.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <map>

namespace orderly {

namespace {

/// The real port has limits of its own; this one is for a port that died.
constexpr auto patience = minutes{5};

constexpr const char* no_queue = "the job queue did not answer";

struct front_state {
  static inline const char* name = "dry_jobs";

  job_port real;
  notebook_actor into;
  bool dry = false;
  std::vector<noted_job> pretended; ///< by id, without gaps

  struct held {
    job_state answer;
    caf::typed_response_promise<job_state> promise;
  };

  std::map<std::uint64_t, held> watches;
  std::uint64_t last_watch = 0;
};

using front_actor = job_port::extend<caf::reacts_to<tick>>;
using front_self = front_actor::stateful_pointer<front_state>;

bool is_pretended(const front_state& st, job_id id) {
  return id >= dry_job_first && id - dry_job_first < st.pretended.size();
}

job_status status_of(const front_state& st, job_id id) {
  const auto& job = st.pretended[id - dry_job_first];
  return only_tags(job.spec.ops) ? job_status::success : job_status::running;
}

job_state state_of(const front_state& st, job_id id) {
  return {id, true, status_of(st, id), {}};
}

/// Asks the real port; `none` is the answer if it does not.
template <class Answer, class Question, class Then>
auto ask_real(front_self self, const Question& question, Answer none,
              Then then) {
  auto promise = self->make_response_promise<Answer>();
  self->request(self->state.real, patience, question)
    .then(
      [promise, then](Answer& answer) mutable {
        then(answer);
        promise.deliver(std::move(answer));
      },
      [promise, none](const caf::error&) mutable { promise.deliver(none); });
  return promise;
}

caf::result<submit_answer> submit(front_self self, const job_submission& what) {
  auto& st = self->state;
  if (!st.dry) {
    submit_answer none;
    none.text = no_queue;
    return ask_real(self, what, none, [self, what](const submit_answer& a) {
      if (a.outcome == submit_outcome::accepted)
        for (std::size_t i = 0; i < std::min(a.ids.size(), what.jobs.size());
             ++i)
          self->send(self->state.into, noted_job{a.ids[i], what.jobs[i]});
    });
  }
  submit_answer result;
  result.outcome = submit_outcome::accepted;
  for (const auto& spec : what.jobs) {
    noted_job job{dry_job_first + st.pretended.size(), spec};
    result.ids.push_back(job.id);
    st.pretended.push_back(job);
    self->send(st.into, std::move(job));
  }
  return result;
}

caf::result<job_state> watch(front_self self, const job_watch& what) {
  auto& st = self->state;
  if (!is_pretended(st, what.id)) {
    job_state none{what.id, false, what.known, no_queue};
    return ask_real(self, what, none, [](const job_state&) {});
  }
  auto is = state_of(st, what.id);
  if (is.status != what.known)
    return is;
  auto promise = self->make_response_promise<job_state>();
  st.watches.emplace(++st.last_watch, front_state::held{is, promise});
  self->delayed_send(self, what.time_limit, tick{0, st.last_watch});
  return promise;
}

caf::result<trail_answer> find(front_self self, const trail_query& what) {
  trail_answer none;
  none.text = no_queue;
  return ask_real(self, what, none, [self, what](trail_answer& answer) {
    const auto& st = self->state;
    for (const auto& job : st.pretended)
      if (job.spec.reason.find(what.needle) != std::string::npos)
        answer.jobs.push_back({job.id, status_of(st, job.id), job.spec.reason});
  });
}

caf::result<job_lookup_answer> look_up(front_self self,
                                       const job_lookup& what) {
  job_lookup_answer none;
  none.text = no_queue;
  job_lookup outside;
  for (auto id : what.ids)
    if (!is_pretended(self->state, id))
      outside.ids.push_back(id);
  return ask_real(self, outside, none, [self, what](job_lookup_answer& answer) {
    if (!answer.answered)
      return;
    std::vector<job_standing> all;
    for (auto id : what.ids) {
      job_standing x;
      x.id = id;
      for (const auto& found : answer.jobs)
        if (found.id == id)
          x = found;
      if (is_pretended(self->state, id))
        x.status = status_of(self->state, id);
      all.push_back(x);
    }
    answer.jobs = std::move(all);
  });
}

caf::result<job_state> cancel(front_self self, const job_cancel& what) {
  if (is_pretended(self->state, what.id))
    return state_of(self->state, what.id); // it runs, that is too late
  if (self->state.dry)
    return job_state{what.id, false, job_status::queued,
                     "nothing is canceled in a dry run"};
  job_state none{what.id, false, job_status::queued, no_queue};
  return ask_real(self, what, none, [](const job_state&) {});
}

front_actor::behavior_type front_impl(front_self self, job_port real,
                                      notebook_actor into, bool dry) {
  auto& st = self->state;
  st.real = std::move(real);
  st.into = std::move(into);
  st.dry = dry;
  return {
    [self](const job_submission& what) { return submit(self, what); },
    [self](const job_watch& what) { return watch(self, what); },
    [self](const trail_query& what) { return find(self, what); },
    [self](const job_lookup& what) { return look_up(self, what); },
    [self](const job_cancel& what) { return cancel(self, what); },
    [self](const tick& t) {
      auto i = self->state.watches.find(t.generation);
      if (i == self->state.watches.end())
        return;
      i->second.promise.deliver(i->second.answer);
      self->state.watches.erase(i);
    },
  };
}

} // namespace

bool only_tags(const std::vector<opcode>& ops) {
  return std::all_of(ops.begin(), ops.end(), [](const opcode& op) {
    return op.kind == op_kind::tags_set || op.kind == op_kind::tags_del;
  });
}

job_port spawn_dry_jobs(caf::actor_system& system, job_port real,
                        notebook_actor into) {
  return system.spawn(front_impl, std::move(real), std::move(into), true);
}

job_port spawn_noted_jobs(caf::actor_system& system, job_port real,
                          notebook_actor into) {
  return system.spawn(front_impl, std::move(real), std::move(into), false);
}

} // namespace orderly
