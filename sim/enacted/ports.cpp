// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/enacted/ports.hpp"

#include "sim/walk/cast.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <algorithm>
#include <utility>

namespace orderly::sim::enacted {

namespace {

using walking::answers_later;
using walking::turn;

using probes = probe_port::extend<caf::reacts_to<turn>>;
using probes_self = probes::stateful_pointer<answers_later>;
using source = picture_source::extend<caf::reacts_to<turn>>;
using source_self = source::stateful_pointer<answers_later>;

template <class Self>
instant time_of(Self self, const post_ptr& where) {
  return where->ctx->at(self->clock().now());
}

/// Delivers then; at once if that is over.
template <class Self, class Answer>
caf::result<Answer> deliver(Self self, const post_ptr& where, instant when,
                            Answer answer) {
  auto at = time_of(self, where);
  answer.at = std::max(at, when);
  if (when <= at)
    return answer;
  auto promise = self->template make_response_promise<Answer>();
  self->state.later(self, when - at,
                    [promise, answer = std::move(answer)]() mutable {
                      promise.deliver(std::move(answer));
                    });
  return promise;
}

// --- daemons -----------------------------------------------------------------

sighting seen(const probe_request& q, bool well) {
  sighting x;
  x.node = q.node;
  x.verdict = well ? health::healthy : health::unhealthy;
  x.lives = well;
  x.evidence = well ? "it answers" : "it does not answer";
  return x;
}

/// Not a health check, or that of a daemon which is not on duty: nothing is
/// used up, and nobody waits.
bool is_aside(const post_ptr& where, const probe_request& q) {
  return q.beside || q.last_look || !where->on_duty;
}

caf::result<sighting> check(probes_self self, const post_ptr& where,
                            const probe_request& q) {
  auto& all = *where->all;
  auto at = time_of(self, where);
  if (q.node == witness)
    return deliver(self, where, at, seen(q, true));
  auto& x = all.at(q.node);
  // In second 0 nobody is checked yet.
  auto check = !q.beside && !q.last_look;
  if (all.is_before(at) || (check && at < all.in(1, second_begins)))
    return deliver(self, where, at,
                   seen(q, all.down_at == never || at < all.down_at));
  if (is_aside(where, q))
    return deliver(self, where, at, seen(q, x.inputs.shown("healthy") == true));
  ++x.health_checks;
  auto answer = x.inputs.next("healthy");
  auto takes = x.inputs.next("t_health").get<std::int64_t>();
  auto limit = all.number("health_timeout");
  auto late = answer == "hang" || takes > limit;
  return deliver(self, where, all.end_of(at, late ? limit : takes),
                 seen(q, !late && answer == true));
}

activity_answer moved(const activity_request& q, const std::string& word) {
  activity_answer x;
  x.node = q.node;
  x.verdict = word == "active"     ? activity::active
              : word == "inactive" ? activity::inactive
                                   : activity::unknown;
  x.evidence = word;
  return x;
}

caf::result<activity_answer> look(probes_self self, const post_ptr& where,
                                  const activity_request& q) {
  auto& all = *where->all;
  auto& x = all.at(q.node);
  auto at = time_of(self, where);
  if (all.is_before(at)) {
    auto held = x.before.sampled_at == never ? at : x.before.sampled_at;
    return deliver(self, where, held, moved(q, x.before.activity));
  }
  if (!where->on_duty)
    return deliver(self, where, at, moved(q, "error"));
  all.note(x, x.seen.operations, "activity_check", at);
  auto answer = x.inputs.word("activity");
  auto takes = x.inputs.next("t_activity").get<std::int64_t>();
  auto limit = all.number("act_timeout");
  if (answer == "hang" || takes > limit)
    return deliver(self, where, all.end_of(at, limit), moved(q, "timed out"));
  return deliver(self, where, all.end_of(at, takes), moved(q, answer));
}

probes::behavior_type answer_probes(probes_self self, post_ptr where) {
  return {
    [self, where](const probe_request& q) { return check(self, where, q); },
    [self, where](const activity_request& q) { return look(self, where, q); },
    [self](const turn& x) { self->state.wake(x); },
  };
}

// --- power -------------------------------------------------------------------

using power = power_port::extend<caf::reacts_to<turn>>;
using power_self = power::stateful_pointer<answers_later>;

power_state state_of(const host& x) {
  auto word = x.inputs.shown("power");
  return word == "On"    ? power_state::on
         : word == "Off" ? power_state::off
                         : power_state::unknown;
}

power_answer reading(const power_request& q, power_state read) {
  power_answer x;
  x.node = q.node;
  x.state = read;
  x.done = read != power_state::unknown;
  if (!x.done)
    x.text = "no answer of its controller";
  return x;
}

/// What such an operation takes, in seconds, and how it ends.
struct course {
  std::int64_t takes = 0;
  bool works = false;
};

course course_of(playground& all, host& x, bool fence) {
  auto answer = x.inputs.word(fence ? "fence" : "recover");
  auto takes
    = x.inputs.next(fence ? "t_fence" : "t_recover").get<std::int64_t>();
  auto limit = all.number(fence ? "fence_timeout" : "recover_timeout");
  if (answer == "hang" || takes > limit)
    return {limit, false};
  return {takes, answer == "ok"};
}

/// What is off already is neither reset nor switched off: that it is read is
/// the whole operation.
bool is_whole_operation(const host& x) {
  const auto& s = x.state;
  auto resets = s.phase == ha_phase::recovering && s.recovery_dispatched
                && !s.outcome_unknown;
  auto fences = s.phase == ha_phase::fencing && s.fence_dispatched;
  return (resets || fences) && !x.commanded && state_of(x) == power_state::off;
}

caf::result<power_answer> status(power_self self, const post_ptr& where,
                                 const power_request& q) {
  auto& all = *where->all;
  auto& x = all.at(q.node);
  auto at = time_of(self, where);
  if (all.is_before(at))
    return deliver(self, where, at, reading(q, power_state::on));
  auto watched = x.state.phase != ha_phase::fencing
                 && x.state.phase != ha_phase::recovering;
  if (watched && at < all.read_since)
    return deliver(self, where, at, reading(q, power_state::on));
  // What is looked at together with it was answered before.
  constexpr millis a_moment{1};
  if (!where->on_duty || !is_whole_operation(x))
    return deliver(self, where, at + a_moment, reading(q, state_of(x)));
  x.commanded = true;
  auto fence = x.state.phase == ha_phase::fencing;
  all.note(x, x.seen.operations, fence ? "fence" : "recover", at);
  auto how = course_of(all, x, fence);
  return deliver(self, where, all.end_of(at, how.takes),
                 reading(q, power_state::off));
}

caf::result<power_answer> before_beginning(power_self self,
                                           const post_ptr& where, host& x,
                                           power_answer answer) {
  auto at = time_of(self, where);
  auto& b = x.before;
  auto fails = b.resets_left > 0;
  auto last_of_those = b.resets_left == 1;
  b.resets_left -= fails ? 1 : 0;
  answer.done = !fails;
  auto held = fails ? (last_of_those ? b.failed_at : never) : b.last_reset_at;
  return deliver(self, where, held == never ? at : held, std::move(answer));
}

caf::result<power_answer> command(power_self self, const post_ptr& where,
                                  const power_request& q) {
  auto& all = *where->all;
  auto& x = all.at(q.node);
  auto at = time_of(self, where);
  power_answer answer;
  answer.node = q.node;
  answer.text = "its controller refuses";
  if (all.is_before(at))
    return before_beginning(self, where, x, std::move(answer));
  x.commanded = true;
  auto fence = q.verb == power_verb::off;
  all.note(x, x.seen.operations, fence ? "fence" : "recover", at);
  auto how = course_of(all, x, fence);
  answer.done = how.works && (fence || state_of(x) != power_state::off);
  if (fence && how.works)
    x.inputs.set("power", "Off");
  return deliver(self, where, all.end_of(at, how.takes), std::move(answer));
}

power::behavior_type answer_power(power_self self, post_ptr where) {
  return {
    [self, where](const power_request& q) {
      return q.verb == power_verb::status ? status(self, where, q)
                                          : command(self, where, q);
    },
    [](const program_question& q) {
      return program_answer{q.program, ""};
    },
    [self](const turn& x) { self->state.wake(x); },
  };
}

// --- the cluster -------------------------------------------------------------

job_submitter_actor::behavior_type submit(job_submitter_actor::pointer self,
                                          post_ptr where) {
  return {
    [self, where](const job_order& order, const job_client& client) {
      auto& all = *where->all;
      auto i
        = std::find_if(all.hosts.begin(), all.hosts.end(), [&](const host& x) {
            return node_object(x.name) == order.owner;
          });
      auto at = time_of(self, where);
      // Without opcodes it is asked what became of it.
      if (!order.ops.empty() && !std::exchange(i->down_told, true))
        all.note(*i, i->seen.operations, "host_down", at);
      i->marked = true;
      job_event e;
      e.intent = order.intent;
      e.owner = order.owner;
      e.phase = job_phase::ended;
      e.id = 1;
      e.status = job_status::success;
      e.at = at;
      self->send(client, e);
    },
    [](const job_lookup&) { return job_lookup_answer{}; },
    [](const job_withdraw&) {},
    [](const lease&) {},
    [](const tick&) {},
  };
}

/// By the record it is out of service, and it is proved off: its instances may
/// start elsewhere.
void release(const post_ptr& where, host& x, instant at) {
  if (!x.proved || !x.facts.record.offline || x.released)
    return;
  x.released = true;
  where->all->note(x, x.seen.operations, "restart_vms", at);
}

source::behavior_type show(source_self self, post_ptr where) {
  return {
    [self, where](const attention& what) {
      // What a job did is in the next reading.
      constexpr auto soon = millis{1};
      self->state.later(self, soon, [self, where, node = what.node] {
        auto& x = where->all->at(node);
        auto at = time_of(self, where);
        renew_facts(*where->all, x, at);
        release(where, x, at);
        self->send(where->nodes.at(node), x.facts);
      });
    },
    [](const room_question&) { return room_answer{}; },
    [self](const turn& x) { self->state.wake(x); },
  };
}

standing_client::behavior_type read_standings(standing_client::pointer self,
                                              post_ptr where) {
  return {[self, where](const node_standing& s) {
    auto& x = where->all->at(s.node);
    if (!where->on_duty)
      return;
    x.proved = s.phase == ha_phase::fenced ? s.proved_down : std::nullopt;
    release(where, x, time_of(self, where));
  }};
}

} // namespace

probe_port spawn_probes(caf::actor_system& sys, post_ptr where) {
  return sys.spawn(answer_probes, std::move(where));
}

power_port spawn_power(caf::actor_system& sys, post_ptr where) {
  return sys.spawn(answer_power, std::move(where));
}

job_submitter_actor spawn_jobs(caf::actor_system& sys, post_ptr where) {
  return sys.spawn(submit, std::move(where));
}

picture_source spawn_source(caf::actor_system& sys, post_ptr where) {
  return sys.spawn(show, std::move(where));
}

standing_client spawn_readers(caf::actor_system& sys, post_ptr where) {
  return sys.spawn(read_standings, std::move(where));
}

} // namespace orderly::sim::enacted
