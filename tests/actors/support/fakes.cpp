// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/support/fakes.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>

namespace orderly {

namespace {

/// To oneself: it is time for the answer kept under `key`.
struct due {
  std::uint64_t key = 0;
};

} // namespace

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::due)

namespace orderly {

namespace {

template <class Fake>
struct fake_state {
  std::shared_ptr<Fake> fake;
  std::map<std::uint64_t, std::function<void()>> kept;
  std::uint64_t last_key = 0;
};

template <class Port>
using with_due = typename Port::template extend<caf::reacts_to<due>>;

template <class Port, class Fake>
using pointer =
  typename with_due<Port>::template stateful_pointer<fake_state<Fake>>;

template <class Port>
using behavior = typename with_due<Port>::behavior_type;

template <class Self, class Question, class Answer>
caf::result<Answer> serve(Self self, desk<Question, Answer>& at,
                          const Question& question) {
  at.asked.push_back(question);
  auto said = at.answer(question);
  if (said.answer && said.after == millis{0})
    return std::move(*said.answer);
  auto promise = self->template make_response_promise<Answer>();
  if (!said.answer)
    return promise;
  auto key = ++self->state.last_key;
  self->state.kept.emplace(key,
                           [promise, x = std::move(*said.answer)]() mutable {
                             promise.deliver(std::move(x));
                           });
  self->delayed_send(self, said.after, due{key});
  return promise;
}

template <class Self>
void wake(Self self, const due& what) {
  auto i = self->state.kept.find(what.key);
  if (i == self->state.kept.end())
    return;
  auto deliver = std::move(i->second);
  self->state.kept.erase(i);
  deliver();
}

behavior<power_port> power(pointer<power_port, power_fake> self,
                           std::shared_ptr<power_fake> x) {
  self->state.fake = std::move(x);
  return {
    [self](const power_request& q) {
      return serve(self, self->state.fake->calls, q);
    },
    [self](const program_question& q) {
      return serve(self, self->state.fake->programs, q);
    },
    [self](const due& what) { wake(self, what); },
  };
}

behavior<probe_port> probes(pointer<probe_port, probe_fake> self,
                            std::shared_ptr<probe_fake> x) {
  self->state.fake = std::move(x);
  return {
    [self](const probe_request& q) {
      return serve(self, self->state.fake->health, q);
    },
    [self](const activity_request& q) {
      return serve(self, self->state.fake->activity, q);
    },
    [self](const due& what) { wake(self, what); },
  };
}

behavior<job_port> jobs(pointer<job_port, job_fake> self,
                        std::shared_ptr<job_fake> x) {
  self->state.fake = std::move(x);
  return {
    [self](const job_submission& q) {
      return serve(self, self->state.fake->submissions, q);
    },
    [self](const job_watch& q) {
      return serve(self, self->state.fake->watches, q);
    },
    [self](const trail_query& q) {
      return serve(self, self->state.fake->trails, q);
    },
    [self](const job_lookup& q) {
      return serve(self, self->state.fake->lookups, q);
    },
    [self](const job_cancel& q) {
      self->state.fake->cancelled.push_back(q.id);
      job_state none;
      none.id = q.id;
      none.answered = self->state.fake->cancels_heard;
      return none;
    },
    [self](const due& what) { wake(self, what); },
  };
}

behavior<journal_port> pages(pointer<journal_port, paper> self,
                             std::shared_ptr<paper> x) {
  self->state.fake = std::move(x);
  return {
    [self](const journal_batch& q) {
      return serve(self, self->state.fake->writes, q);
    },
    [self](const journal_read& q) {
      return serve(self, self->state.fake->reads, q);
    },
    [self](const due& what) { wake(self, what); },
  };
}

behavior<model_port> models(pointer<model_port, model_fake> self,
                            std::shared_ptr<model_fake> x) {
  self->state.fake = std::move(x);
  return {
    [self](const read_model& q) {
      return serve(self, self->state.fake->reads, q);
    },
    [self](const due& what) { wake(self, what); },
  };
}

behavior<planner_port> thinker(pointer<planner_port, planner_fake> self,
                               std::shared_ptr<planner_fake> x) {
  self->state.fake = std::move(x);
  return {
    [self](const plan_question& q) {
      return serve(self, self->state.fake->plans, q);
    },
    [self](const target_question& q) {
      return serve(self, self->state.fake->targets, q);
    },
    [](const evacuation_question&) { return evacuation_answer{}; },
    [self](const due& what) { wake(self, what); },
  };
}

behavior<balancer_actor> places(pointer<balancer_actor, places_fake> self,
                                std::shared_ptr<places_fake> x) {
  self->state.fake = std::move(x);
  return {
    [](const picture_news&) {},
    [](const node_standing&) {},
    [](const balance_query&) { return balance_sheet{}; },
    [](const evacuation_wanted&) { return evacuation_answer{}; },
    [](const upkeep&) {},
    [self](const place_question& q) {
      return serve(self, self->state.fake->places, q);
    },
    [](const permit_called&) {},
    [](const job_event&) {},
    [](const ask_consent&) { return consent{}; },
    [](const holds&) {},
    [](const lease&) {},
    [](const tick&) {},
    [self](const due& what) { wake(self, what); },
  };
}

job_submitter_actor::behavior_type
submitter(job_submitter_actor::pointer,
          const std::shared_ptr<submitter_fake>& x) {
  return {
    [x](const job_order& order, const job_client&) {
      x->orders.push_back(order);
    },
    [](const job_lookup&) { return job_lookup_answer{}; },
    [x](const job_withdraw& what) { x->withdrawn.push_back(what.intent); },
    [](const lease&) {},
    [](const tick&) {},
  };
}

view_actor::behavior_type onlooker(view_actor::pointer,
                                   const std::shared_ptr<view_fake>& x) {
  return {
    [x](const journal_news& news) {
      x->entries.insert(x->entries.end(), news.entries.begin(),
                        news.entries.end());
    },
    [](const picture_news&) {},
    [](const node_standing&) {},
    [](const instance_standing&) {},
    [](const event_standing&) {},
    [](const events_known&) {},
    [](const agents_asked&) {},
    [x](const guard_standing& guard, const lease& right) {
      x->guard = guard;
      x->right = right;
    },
    [x](const accepted_orders& all) { x->ordered = all.nodes; },
    [x](const view_query&) { return x->answer; },
    [](const ask_scene&) { return scene_answer{}; },
    [](const ask_troubles&) { return troubles{}; },
  };
}

} // namespace

std::vector<power_verb> power_fake::commands() const {
  std::vector<power_verb> result;
  for (const auto& x : calls.asked)
    if (!is_reading(x.verb))
      result.push_back(x.verb);
  return result;
}

paper::paper() {
  writes.answer = [this](const journal_batch& batch) {
    write(batch);
    return says(journal_ack{true, {}});
  };
  reads.answer = [this](const journal_read&) { return says(contents()); };
}

void paper::write(const journal_batch& batch) {
  for (const auto& entry : batch.entries) {
    entries.push_back(entry);
    const auto& key = entry.state_key.empty() ? entry.object : entry.state_key;
    if (entry.state && entry.state->empty())
      states.erase(key);
    else if (entry.state)
      states.insert_or_assign(key, *entry.state);
    if (on_entry)
      on_entry(entry);
  }
}

journal_contents paper::contents() const {
  journal_contents result;
  result.readable = true;
  result.last_seq = entries.empty() ? 0 : entries.back().seq;
  result.states = states;
  result.recent = entries;
  return result;
}

std::size_t paper::count(const std::string& code) const {
  return static_cast<std::size_t>(
    std::count_if(entries.begin(), entries.end(),
                  [&](const journal_entry& x) { return x.code == code; }));
}

power_port spawn_fake(caf::actor_system& sys, std::shared_ptr<power_fake> x) {
  return sys.spawn(power, std::move(x));
}

probe_port spawn_fake(caf::actor_system& sys, std::shared_ptr<probe_fake> x) {
  return sys.spawn(probes, std::move(x));
}

job_port spawn_fake(caf::actor_system& sys, std::shared_ptr<job_fake> x) {
  return sys.spawn(jobs, std::move(x));
}

journal_port spawn_fake(caf::actor_system& sys, std::shared_ptr<paper> x) {
  return sys.spawn(pages, std::move(x));
}

model_port spawn_fake(caf::actor_system& sys, std::shared_ptr<model_fake> x) {
  return sys.spawn(models, std::move(x));
}

planner_port spawn_fake(caf::actor_system& sys,
                        std::shared_ptr<planner_fake> x) {
  return sys.spawn(thinker, std::move(x));
}

balancer_actor spawn_fake(caf::actor_system& sys,
                          std::shared_ptr<places_fake> x) {
  return sys.spawn(places, std::move(x));
}

job_submitter_actor spawn_fake(caf::actor_system& sys,
                               std::shared_ptr<submitter_fake> x) {
  return sys.spawn(submitter, std::move(x));
}

view_actor spawn_fake(caf::actor_system& sys, std::shared_ptr<view_fake> x) {
  return sys.spawn(onlooker, std::move(x));
}

} // namespace orderly
