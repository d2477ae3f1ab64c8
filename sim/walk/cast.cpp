// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/walk/cast.hpp"

#include "actors/power/endings.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace orderly::sim::walking {

namespace {

using walk_office = warned_office::extend<caf::reacts_to<turn>>;
using office_self = walk_office::stateful_pointer<answers_later>;
using walk_checker = node_checker::extend<caf::reacts_to<turn>>;
using checker_self = walk_checker::stateful_pointer<answers_later>;

/// What hangs is given up by whoever asked, long before.
constexpr auto for_ever = hours{1};

journal_port::behavior_type pages(journal_port::pointer self, paper_ptr all,
                                  context_ptr ctx) {
  return {
    [self, all, ctx](const journal_batch& batch) {
      for (const auto& x : batch.entries) {
        all->last_seq = x.seq;
        const auto& key = x.state_key.empty() ? x.object : x.state_key;
        if (x.state && x.state->empty())
          all->states.erase(key);
        else if (x.state)
          all->states.insert_or_assign(key, *x.state);
      }
      all->worked = ctx->at(self->clock().now());
      return journal_ack{true, {}};
    },
    [all](const journal_read&) {
      journal_contents result;
      result.readable = true;
      result.last_seq = all->last_seq;
      result.states = all->states;
      result.worked = all->worked;
      return result;
    },
  };
}

walk_checker::behavior_type checks(checker_self self, hosts_ptr all,
                                   context_ptr ctx) {
  return {
    [self, all, ctx](const probe_request& q) {
      const auto& x = all->at(q.node);
      sighting seen;
      seen.node = q.node;
      seen.verdict = x.daemons;
      seen.lives = x.daemons == health::healthy
                   || (x.daemons == health::unhealthy && x.refuses);
      seen.evidence = to_string(x.daemons);
      seen.at = ctx->at(self->clock().now());
      return seen;
    },
    [self, all, ctx](const activity_request& q) {
      constexpr auto takes = millis{900};
      auto promise = self->make_response_promise<activity_answer>();
      auto hangs = all->at(q.node).activity_hangs;
      self->state.about(self, hangs ? millis{for_ever} : takes,
                        [self, all, ctx, promise, node = q.node]() mutable {
                          auto found = all->at(node).moves;
                          promise.deliver(
                            activity_answer{node, found, to_string(found),
                                            ctx->at(self->clock().now())});
                        });
      return promise;
    },
    [self](const turn& x) { self->state.wake(x); },
  };
}

permit answer_of(guard_mood mood) {
  permit p;
  p.granted = mood == guard_mood::grants;
  p.storm = mood == guard_mood::storms;
  if (!p.granted)
    p.why = p.storm ? "a storm" : "paused";
  return p;
}

/// Its price goes to the disk first.
caf::result<permit> answer(office_self self, const hosts_ptr& all,
                           const permit_request& q) {
  constexpr auto takes = millis{500};
  auto promise = self->make_response_promise<permit>();
  auto node = q.leaves.front();
  auto hangs = all->at(node).guards == guard_mood::silent;
  self->state.about(self, hangs ? millis{for_ever} : takes,
                    [all, promise, node]() mutable {
                      promise.deliver(answer_of(all->at(node).guards));
                    });
  return promise;
}

walk_office::behavior_type guards(office_self self, hosts_ptr all) {
  return {
    [self, all](const permit_request& q) { return answer(self, all, q); },
    [self, all](const permit_request& q, const permit_client&) {
      return answer(self, all, q);
    },
    [](const permit_release&) {},
    [](const ask_risky_acts&) { return risky_acts{}; },
    [](const node_standing&) {},
    [self](const turn& x) { self->state.wake(x); },
  };
}

host& owner_of(hosts& all, const object_id& owner) {
  auto i = std::find_if(all.begin(), all.end(), [&owner](const auto& x) {
    return node_object(x.first) == owner;
  });
  return i->second;
}

job_submitter_actor::behavior_type submits(job_submitter_actor::pointer self,
                                           hosts_ptr all, context_ptr ctx) {
  return {
    [self, all, ctx](const job_order& order, const job_client& client) {
      auto& x = owner_of(*all, order.owner);
      // Without opcodes it is asked what became of it.
      auto works = order.ops.empty() ? x.facts.record.offline : x.marks_work;
      job_event e;
      e.intent = order.intent;
      e.owner = order.owner;
      e.phase = job_phase::ended;
      e.id = 1;
      e.status = works ? job_status::success : job_status::error;
      e.at = ctx->at(self->clock().now());
      if (works)
        x.facts.record.offline = true;
      self->send(client, e);
    },
    [](const job_lookup&) { return job_lookup_answer{}; },
    [](const job_withdraw&) {},
    [](const lease&) {},
    [](const tick&) {},
  };
}

onlooker::behavior_type looks_on(onlooker::pointer) {
  return {
    [](const node_standing&) {},
    [](const journal_news&) {},
  };
}

picture_source::behavior_type source(picture_source::pointer) {
  return {
    [](const attention&) {},
    [](const room_question&) { return room_answer{}; },
  };
}

} // namespace

journal_port spawn_paper(caf::actor_system& sys, paper_ptr all,
                         context_ptr ctx) {
  return sys.spawn(pages, std::move(all), std::move(ctx));
}

node_checker spawn_checker(caf::actor_system& sys, hosts_ptr all,
                           context_ptr ctx) {
  return sys.spawn(checks, std::move(all), std::move(ctx));
}

warned_office spawn_office(caf::actor_system& sys, hosts_ptr all) {
  return sys.spawn(guards, std::move(all));
}

job_submitter_actor spawn_jobs(caf::actor_system& sys, hosts_ptr all,
                               context_ptr ctx) {
  return sys.spawn(submits, std::move(all), std::move(ctx));
}

picture_source spawn_source(caf::actor_system& sys) {
  return sys.spawn(source);
}

onlooker spawn_onlooker(caf::actor_system& sys) {
  return sys.spawn(looks_on);
}

} // namespace orderly::sim::walking
