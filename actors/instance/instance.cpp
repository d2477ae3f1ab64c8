// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/instance/instance.hpp"

#include "actors/instance/asked.hpp"
#include "actors/instance/kept.hpp"
#include "actors/instance/places.hpp"
#include "actors/instance/questions.hpp"
#include "actors/instance/witness.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/shell/patience.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly {

namespace {

using namespace instance_parts;

void digest(self_ptr self, autorepair::verdict v);

void publish(self_ptr self, const autorepair::facts& facts, instant at) {
  auto& st = self->state;
  auto s
    = autorepair::standing(st.machine, facts, rules_of(*st.ctx->rules()), at);
  if (s == st.shown)
    return;
  st.shown = s;
  self->send(st.peers.view, std::move(s));
}

void publish(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (st.facts)
    publish(self, seen(st, at), at);
}

/// While something is under way every new reading matters.
void attend(self_ptr self, bool wanted) {
  auto& st = self->state;
  if (wanted == st.attentive)
    return;
  st.attentive = wanted;
  self->send(st.peers.cluster, attention{st.instance, wanted, {}});
}

void attend(self_ptr self) {
  auto& st = self->state;
  attend(self, st.facts ? autorepair::wants_picture(st.machine,
                                                    seen(st, now(self, st.ctx)))
                        : st.machine.stage != autorepair::stage::idle);
}

// --- what the machine asks for ---------------------------------------------

/// It does not leave: the machine hears that it was not even tried in this
/// life.
void hold_back(self_ptr self, const autorepair::submit& what, std::string why) {
  auto& st = self->state;
  st.headed_at = never;
  auto unwanted = st.placing == what.intent && st.withdraw_late == what.intent;
  if (st.placing == what.intent) {
    st.placing.clear();
    st.withdraw_late.clear();
  }
  if (what.again) {
    if (unwanted)
      self->send(st.peers.jobs, job_withdraw{what.intent});
    digest(self, autorepair::step(
                   st.machine, autorepair::doubted{what.intent, std::move(why)},
                   rules_of(*st.ctx->rules()), now(self, st.ctx)));
    return;
  }
  job_event never_sent;
  never_sent.intent = what.intent;
  never_sent.owner = instance_object(st.instance);
  never_sent.phase = job_phase::refused;
  never_sent.untried = true;
  never_sent.text = "not sent: " + why;
  never_sent.at = now(self, st.ctx);
  digest(self, autorepair::step(
                 st.machine,
                 autorepair::job_ended{never_sent, seen(st, never_sent.at)},
                 rules_of(*st.ctx->rules()), never_sent.at));
}

void hand_over(self_ptr self, const autorepair::submit& what,
               std::vector<opcode> ops) {
  auto& st = self->state;
  job_order order;
  order.intent = what.intent;
  order.incident = st.machine.repair;
  order.owner = instance_object(st.instance);
  order.ops = std::move(ops);
  order.why = what.why;
  order.deadline = st.ctx->rules()->cluster.job_deadline;
  // A tag that comes late would be a permission that nobody gave.
  // What spoke for it was judged again by the newest reading.
  auto since = what.seen_at == never
                 ? now(self, st.ctx)
                 : std::max(what.seen_at, st.facts->read_at);
  order.send_before = since + st.ctx->rules()->cluster.picture_max_age;
  order.once = what.once;
  order.again = what.again && st.older;
  self->send(st.peers.jobs, std::move(order),
             caf::actor_cast<job_client>(self));
  if (st.placing != what.intent)
    return;
  st.placing.clear();
  if (std::exchange(st.withdraw_late, {}) == what.intent)
    self->send(st.peers.jobs, job_withdraw{what.intent});
}

void send_job(self_ptr self, const autorepair::submit& what,
              std::vector<opcode> ops) {
  auto& st = self->state;
  if (ops.empty())
    return hand_over(self, what, std::move(ops));
  st.headed = what.intent;
  st.headed_at = now(self, st.ctx);
  st.heading = ops;
  // The journal, or the search for a place, may have been slow.
  if (auto why = doubts(st, what.intent, now(self, st.ctx)); !why.empty())
    return hold_back(self, what, std::move(why));
  auto decide = [self, what, ops](const std::string& against) {
    auto& state = self->state;
    auto why = against;
    if (why.empty())
      why = doubts(state, what.intent, now(self, state.ctx));
    if (why.empty())
      hand_over(self, what, ops);
    else
      hold_back(self, what, std::move(why));
  };
  auto go_on = [self, ops, decide](const std::string& against) {
    if (against.empty())
      ask_homes(self, ops, decide);
    else
      decide(against);
  };
  if (moves_what_is_down(*st.facts, ops))
    ask_mirror(self, go_on);
  else
    read_copies(self, ops, go_on);
}

void carry_out(self_ptr self, const autorepair::submit& what) {
  find_place(self, what.intent, what.ops,
             [self, what](std::vector<opcode> ops) {
               send_job(self, what, std::move(ops));
             });
}

void carry_out(self_ptr self, const autorepair::ask_permit& what) {
  auto& st = self->state;
  if (st.permit_asked)
    return;
  st.permit_asked = true;
  permit_request wanted;
  wanted.owner = instance_object(st.instance);
  wanted.act = what.act;
  wanted.incident = st.machine.repair;
  wanted.instances = {st.instance};
  wanted.leaves = what.leaves;
  wanted.joins = what.joins;
  wanted.also = st.facts->record.secondaries;
  wanted.also.push_back(st.facts->record.primary);
  // A tag that is dated ahead, by hand or by another clock, says nothing.
  wanted.since
    = st.machine.started > now(self, st.ctx) ? never : st.machine.started;
  // It was found after a restart, and may begin: its places are its own.
  wanted.resumed = needs_places(st.machine);
  st.permitted = wanted;
  st.permitted_at = now(self, st.ctx);
  auto feed = [self](const permit& answer) {
    auto& state = self->state;
    state.permit_asked = false;
    if (needs_places(state.machine))
      return; // the reservation of a step found after a restart
    auto at = now(self, state.ctx);
    digest(self, autorepair::step(state.machine,
                                  autorepair::permit_answered{
                                    seen(state, at), answer.granted, answer.why,
                                    answer.retry_at, answer.taken},
                                  rules_of(*state.ctx->rules()), at));
  };
  self
    ->request(st.peers.scheduler, patience::neighbour, std::move(wanted),
              caf::actor_cast<permit_client>(self))
    .then(feed, [self, feed](const caf::error&) {
      permit none;
      none.why = "the scheduler does not answer";
      none.retry_at = now(self, self->state.ctx) + patience::ask_again;
      feed(none);
    });
}

void carry_out(self_ptr self, const autorepair::give_back_permit& what) {
  self->send(
    self->state.peers.scheduler,
    permit_release{instance_object(self->state.instance), what.unused});
}

void carry_out(self_ptr self, const autorepair::withdraw& what) {
  if (self->state.placing == what.intent) {
    self->state.withdraw_late = what.intent; // it is not sent yet
    return;
  }
  self->send(self->state.peers.jobs, job_withdraw{what.intent});
}

/// What is told goes to the disk with the state that knows it was told: a
/// restart between the two would silence it for ever.
void carry_out(self_ptr, const autorepair::tell&) {
}

/// Looks again when something ends by itself, or after the usual interval.
void arm(self_ptr self) {
  constexpr millis least_pause{10};
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto pause = st.ctx->rules()->autorepair.check_interval;
  auto due = next_look(st, at);
  if (due != never)
    pause = std::clamp(std::chrono::duration_cast<millis>(due - at),
                       least_pause, pause);
  else if (st.machine.phase == autorepair::phase::healthy
           && st.machine.stage == autorepair::stage::idle)
    return; // news will wake us
  st.next.set(self, pause);
}

/// Most looks find what the last one found: nothing is written, and what was
/// seen need not be put together again.
void rest(self_ptr self, const autorepair::facts& facts, instant at) {
  attend(self, autorepair::wants_picture(self->state.machine, facts));
  arm(self);
  ask_earlier(self);
  ask_room(self);
  publish(self, facts, at);
}

/// Writes the machine's answer down, and only then does as it says.
void digest(self_ptr self, autorepair::verdict v) {
  auto& st = self->state;
  if (v.next == st.machine && v.actions.empty()) {
    attend(self);
    arm(self);
    ask_earlier(self);
    ask_room(self);
    publish(self);
    return;
  }
  // Nobody keeps a place for what is not wanted any more. If it was granted
  // after all, that was not heard.
  if (std::exchange(st.waits, autorepair::waits_for_permit(v.next))
      && v.next.stage == autorepair::stage::idle && !st.waits)
    carry_out(self, autorepair::give_back_permit{true});
  note_voided(st, v.next);
  st.machine = std::move(v.next);
  auto rows = rows_of(self, std::move(v.why), v.actions);
  keep(self, rows);
  attend(self);
  call_back_first<autorepair::withdraw>(
    v.actions, [self](const auto& back) { carry_out(self, back); });
  auto act = [self, actions = std::move(v.actions)] {
    for (const auto& action : actions)
      std::visit([self](const auto& what) { carry_out(self, what); }, action);
    arm(self);
    ask_earlier(self);
    ask_room(self);
    publish(self);
  };
  const auto& first = rows.front();
  auto silent = !first.state && first.kind == entry_kind::note;
  if (silent && rows.size() == 1)
    act();
  else
    record(self, st.peers.journal, std::move(rows), std::move(act));
}

} // namespace

void instance_parts::look(self_ptr self, bool called) {
  auto& st = self->state;
  if (!st.recovered || !st.facts)
    return;
  auto rules = rules_of(*st.ctx->rules());
  auto at = now(self, st.ctx);
  if (st.resume_due) {
    st.resume_due = false;
    digest(self, autorepair::resume(st.machine, seen(st, at), rules, at));
    return;
  }
  keep_places(self);
  autorepair::event news
    = autorepair::looked{seen(st, at), st.rolls.uuid(), called};
  const auto& facts = std::get<autorepair::looked>(news).seen;
  for (const auto& job : autorepair::groundless(facts, rules, at))
    self->send(st.peers.jobs,
               job_withdraw{job.intent, job.id, instance_object(st.instance)});
  auto v = autorepair::step(st.machine, news, rules, at);
  if (v.next == st.machine && v.actions.empty())
    rest(self, std::get<autorepair::looked>(news).seen, at);
  else
    digest(self, std::move(v));
}

namespace {

void recover(self_ptr self, const recalled& before) {
  auto& st = self->state;
  st.recovered = true;
  take_kept(self, before);
  if (st.kept) {
    // An older journal does not know what was sent after it.
    st.older = before.adopted != never;
    if (st.older && !st.machine.repair.empty())
      autorepair::take_older(st.machine, st.rolls.uuid(), now(self, st.ctx));
    else
      autorepair::take_restarted(st.machine, now(self, st.ctx));
    st.resume_due = st.machine.stage != autorepair::stage::idle
                    || st.machine.unsure || !st.machine.note.empty();
    attend(self);
  }
  look(self);
}

/// News of a job of ours.
void hear(self_ptr self, const job_event& e) {
  auto& st = self->state;
  if (is_asked(e.intent))
    return hear_of_asked(self, e);
  if (!st.recovered || !st.facts)
    return; // the submitter tells again when the step is resumed
  auto rules = rules_of(*st.ctx->rules());
  auto at = now(self, st.ctx);
  if (e.phase == job_phase::submitted) {
    if (!e.joins.empty())
      reserve_again(self, e.joins);
    return digest(self, autorepair::step(st.machine, autorepair::job_started{e},
                                         rules, at));
  }
  if (e.phase == job_phase::ended)
    st.ended = e.intent, st.ended_job = e.id;
  auto facts = seen(st, at);
  // An overdue job may still run: from now on it is one to wait for.
  if (e.phase == job_phase::overdue && e.id != 0 && !facts.foreign_job)
    facts.foreign_job = e.id;
  digest(self, autorepair::step(st.machine, autorepair::job_ended{e, facts},
                                rules, at));
  // What the job did is in the next picture: ask for it now.
  self->send(st.peers.cluster, attention{st.instance, st.attentive, {}});
}

} // namespace

instance_actor::behavior_type instance(self_ptr self, context_ptr ctx,
                                       instance_peers peers, instance_name name,
                                       std::string uuid) {
  die_with_reason(self, instance_object(name));
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.peers = std::move(peers);
  st.instance = std::move(name);
  st.uuid = std::move(uuid);
  // An id must never come twice, not even after a restart with the same seed.
  st.born = now(self, st.ctx);
  auto born = static_cast<std::uint64_t>(to_ms(st.born));
  st.rolls
    = dice{st.ctx->seed_for(instance_object(st.instance)) ^ (born << 20)};
  self->request(st.peers.journal, caf::infinite, recall_keys{keys_of(st)})
    .then([self](const recalled& before) { recover(self, before); });
  return {
    [self](instance_facts& facts) {
      take(self->state, std::move(facts));
      look(self);
    },
    [self](const copy_question&) { return copy_of(self); },
    [self](const repair_request& what) { return ask_repair(self, what); },
    [self](const job_event& e) { hear(self, e); },
    [self](const ask_consent& what) { return bear_witness(self, what.intent); },
    [self](const permit_called&) { look(self, true); },
    [self](const tick& t) {
      if (self->state.next.rings(t))
        look(self);
    },
  };
}

} // namespace orderly
