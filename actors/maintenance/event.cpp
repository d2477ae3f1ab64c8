// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/maintenance/event.hpp"

#include "actors/maintenance/copies.hpp"
#include "actors/shell/patience.hpp"
#include "actors/shell/renewal.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly {

namespace {

using event_self = event_actor::stateful_pointer<event_state>;

void feed(event_self self, const maintenance::event& e);

/// Why that job is not to leave by what is known now; empty: it may.
std::string against_now(event_self self, const intent_id& intent) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto asked = st.copies_asked.find(intent);
  if (asked != st.copies_asked.end() && at - asked->second > mirror_good)
    return "it was asked too long ago how its copies are; that is asked anew";
  return maintenance::objection(st.machine, intent, st.facts,
                                event_rules(*st.ctx->rules()), at);
}

/// Of what has left, or was given up, nothing is remembered.
void note_copies_asked(event_state& st, const intent_id& intent, instant at) {
  std::erase_if(st.copies_asked, [&](const auto& x) {
    return maintenance::permit_of(st.machine, x.first) == std::nullopt;
  });
  st.copies_asked[intent] = at;
}

// --- what the machine asks for ----------------------------------------------

void carry_out(event_self self, const maintenance::ask_plan&) {
  self->send(self->state.peers.keeper, plan_wanted{self->state.uuid});
}

permit_request request_of(event_self self,
                          const maintenance::ask_permit& what) {
  auto& st = self->state;
  permit_request wanted;
  wanted.owner = what.owner;
  wanted.act = act_kind::evacuate;
  wanted.incident = st.uuid;
  wanted.instances = what.instances;
  wanted.leaves = what.leaves;
  wanted.joins = what.joins;
  wanted.also = what.also;
  wanted.alone = what.alone;
  wanted.since = st.machine.ctime;
  wanted.resumed = what.resumed;
  return wanted;
}

void carry_out(event_self self, const maintenance::ask_permit& what) {
  auto& st = self->state;
  self
    ->request(st.peers.scheduler, patience::neighbour, request_of(self, what),
              caf::actor_cast<permit_client>(self))
    .then(
      [self, owner = what.owner](const permit& answer) {
        feed(self, maintenance::permit_answered{owner, answer});
      },
      [self, owner = what.owner](const caf::error&) {
        permit none;
        none.why = "the scheduler does not answer";
        none.retry_at = now(self, self->state.ctx)
                        + self->state.ctx->rules()->rounds.hold_retry;
        feed(self, maintenance::permit_answered{owner, std::move(none)});
      });
}

void carry_out(event_self self, const maintenance::give_back_permit& what) {
  self->send(self->state.peers.scheduler, permit_release{what.owner});
  // What the job did shows in the next reading.
  self->send(self->state.peers.cluster, attention{});
}

void drop(event_self self, const intent_id& intent, std::string why) {
  job_event never_sent;
  never_sent.intent = intent;
  never_sent.phase = job_phase::refused;
  never_sent.untried = true;
  never_sent.text = std::move(why);
  feed(self, never_sent);
}

void send_job(event_self self, const maintenance::submit& what) {
  auto& st = self->state;
  if (!what.ops.empty())
    if (auto why = against_now(self, what.intent); !why.empty()) {
      drop(self, what.intent, std::move(why));
      return;
    }
  auto rules = st.ctx->rules();
  job_order order;
  order.intent = what.intent;
  order.incident = st.uuid;
  order.owner = object_of_event(st.uuid);
  order.ops = what.ops;
  order.why = what.why;
  order.once = what.once;
  order.deadline = rules->cluster.job_deadline;
  order.send_before = st.facts.read_at + rules->cluster.picture_max_age;
  self->send(st.peers.jobs, std::move(order),
             caf::actor_cast<job_client>(self));
}

/// The agent keeps the object for the command, which the job then runs.
void deposit(event_self self, const maintenance::submit& what) {
  auto& st = self->state;
  auto limit = st.ctx->rules()->maintenance.report_timeout;
  const auto* record = st.facts.picture
                         ? find_record(st.facts.picture->nodes, st.machine.node)
                         : nullptr;
  if (record == nullptr)
    return drop(self, what.intent, st.machine.node + " is not known just now");
  deposit_repair order{
    st.machine.node, st.machine.node_uuid, record->address,     what.intent,
    st.uuid,         what.command,         st.machine.original, limit};
  auto refused = [self, intent = what.intent](std::string why) {
    job_event e;
    e.intent = intent;
    e.phase = job_phase::refused;
    e.text = "the node's agent does not take the order: " + std::move(why);
    feed(self, e);
  };
  self->request(st.peers.agents, limit + patience::slack, std::move(order))
    .then(
      [self, what, refused](deposit_answer& x) {
        if (x.deposited)
          send_job(self, what);
        else
          refused(std::move(x.text));
      },
      [refused](const caf::error&) { refused("no answer in time"); });
}

void carry_out(event_self self, const maintenance::submit& what) {
  auto at = now(self, self->state.ctx);
  if (!what.command.empty() && !what.ops.empty())
    deposit(self, what);
  else if (what.ops.empty())
    send_job(self, what);
  else
    ask_about_copies(self, what.ops.back(),
                     [self, what, at](const std::string& against) {
                       if (!against.empty())
                         return drop(self, what.intent, against);
                       if (relies_on_a_copy(what.ops.back()))
                         note_copies_asked(self->state, what.intent, at);
                       send_job(self, what);
                     });
}

void carry_out(event_self self, const maintenance::withdraw& what) {
  job_withdraw order;
  order.intent = what.intent;
  self->send(self->state.peers.jobs, std::move(order));
}

void carry_out(event_self, const maintenance::tell&) {
  // Written down already.
}

void carry_out(event_self, const maintenance::reply&) {
  // Told to whoever asked: see `take_in`.
}

// --- writing down -----------------------------------------------------------

void arm(event_self self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto due = maintenance::due_at(st.machine);
  // What is overdue waits for news: of the cluster, or an answer.
  if (due == never || due <= at || due == st.armed)
    return;
  st.armed = due;
  st.next.set(self, std::chrono::duration_cast<millis>(due - at));
}

std::vector<journal_entry>
rows_of(event_self self, const maintenance::verdict& v, const fields& state) {
  auto& st = self->state;
  auto object = object_of_event(st.uuid);
  std::vector<journal_entry> rows;
  for (const auto& x : v.actions)
    if (const auto* row = std::get_if<maintenance::tell>(&x))
      rows.push_back(
        entry_about(self, st.ctx, object, row->kind, row->code, row->text));
  auto changed = state != st.kept;
  if (!v.why.empty() || changed)
    rows.push_back(
      entry_about(self, st.ctx, object,
                  v.why.empty() ? entry_kind::note : entry_kind::decision,
                  to_string(st.machine.phase), v.why));
  for (auto& row : rows)
    row.incident = st.uuid;
  if (changed) {
    rows.back().state = state;
    rows.back().state_key = object;
  }
  return rows;
}

void tell(event_self self, const event_standing& standing) {
  auto& st = self->state;
  if (standing == st.told)
    return;
  st.told = standing;
  self->send(st.peers.view, standing);
  self->send(st.peers.keeper, standing);
}

void take_in(event_self self, maintenance::verdict v) {
  auto& st = self->state;
  st.machine = std::move(v.next);
  auto state = maintenance::to_fields(st.machine);
  auto rows = rows_of(self, v, state);
  st.kept = std::move(state);
  call_back_first<maintenance::withdraw>(
    v.actions, [self](const auto& back) { carry_out(self, back); });
  // Another order may be taken in before this one is on disk.
  auto act = [self, actions = std::move(v.actions),
              asker = std::exchange(st.asker, std::nullopt)]() mutable {
    for (const auto& action : actions) {
      if (const auto* said = std::get_if<maintenance::reply>(&action);
          said != nullptr && asker)
        asker->deliver(said->answer);
      std::visit([self](const auto& what) { carry_out(self, what); }, action);
    }
  };
  arm(self);
  auto standing = maintenance::standing_of(st.machine);
  if (rows.empty()) {
    if (st.writing == 0)
      tell(self, standing);
    act();
    return;
  }
  ++st.writing;
  record(
    self, st.peers.journal, std::move(rows),
    [self, standing = std::move(standing), act = std::move(act)]() mutable {
      // A plan is for those of whom it is known that they leave: of each
      // row they hear before what it carries out, and of nothing sooner.
      tell(self, standing);
      act();
      if (--self->state.writing == 0)
        tell(self, maintenance::standing_of(self->state.machine));
    });
}

void feed(event_self self, const maintenance::event& e) {
  auto& st = self->state;
  if (st.recovered) // else it looks when it has read its journal
    take_in(self, maintenance::step(st.machine, e, st.facts,
                                    event_rules(*st.ctx->rules()),
                                    now(self, st.ctx)));
}

void recover_event(event_self self, const recalled& before) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto i = before.states.find(object_of_event(st.uuid));
  if (i == before.states.end()) {
    st.machine.uuid = st.uuid;
    st.machine.phase = event_phase::forgotten;
  } else {
    st.kept = i->second;
    st.machine = maintenance::from_fields(i->second);
  }
  st.recovered = true;
  auto aged = before.aged.count(object_of_event(st.uuid)) != 0;
  take_in(self, maintenance::resume(st.machine, at, before.adopted, aged));
  feed(self, maintenance::looked{});
}

/// The last word before a job leaves. Its permit is from before: paused since,
/// or in trouble?
caf::result<consent> last_say(event_self self, const intent_id& intent) {
  auto& st = self->state;
  if (auto why = against_now(self, intent); !why.empty())
    return consent{false, why};
  auto what = maintenance::permit_of(st.machine, intent);
  if (!what)
    return consent{true, {}};
  auto promise = self->make_response_promise<consent>();
  self
    ->request(st.peers.scheduler, patience::neighbour, request_of(self, *what))
    .then(
      [self, intent, promise](const permit& answer) mutable {
        auto why = answer.granted ? against_now(self, intent) : answer.why;
        promise.deliver(consent{why.empty(), why});
      },
      [promise](const caf::error&) mutable {
        promise.deliver(consent{false, "the scheduler does not answer"});
      });
  return promise;
}

/// Of jobs under way.
void keep_permits(event_self self) {
  auto& st = self->state;
  if (!renews_permits(st.permits_kept, now(self, st.ctx), *st.ctx->rules()))
    return;
  for (const auto& w : st.machine.open) {
    auto what = w.stage == maintenance::work_stage::sent
                  ? maintenance::permit_of(st.machine, w.intent)
                  : std::nullopt;
    if (!what)
      continue;
    what->resumed = true;
    self
      ->request(st.peers.scheduler, patience::neighbour,
                request_of(self, *what))
      .then([](const permit&) {}, [](const caf::error&) {});
  }
}

caf::result<event_order_answer> take_order(event_self self,
                                           const event_order& what) {
  if (!self->state.recovered)
    return event_order_answer{event_order_answer::outcome::refused,
                              "it is still being read from memory"};
  auto promise = self->make_response_promise<event_order_answer>();
  self->state.asker = promise;
  feed(self, maintenance::ordered{what});
  return promise;
}

} // namespace

object_id object_of_event(const std::string& uuid) {
  return "event:" + uuid;
}

maintenance::rules event_rules(const settings& s) {
  maintenance::rules r;
  const auto& m = s.maintenance;
  r.mode = m.mode;
  r.debounce = m.debounce;
  r.debounce_failover = m.debounce_failover;
  r.interval = m.interval;
  r.evidence_max_age = m.evidence_max_age;
  r.picture_max_age = s.cluster.picture_max_age;
  r.moves_parallel_max = m.moves_parallel_max;
  r.early_release = m.early_release;
  r.ask_home = m.ask_home;
  r.retry_base = m.retry_base;
  r.retry_max = m.retry_max;
  return r;
}

event_actor::behavior_type repair_event(event_self self, context_ptr ctx,
                                        event_peers peers, std::string uuid) {
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.peers = std::move(peers);
  st.uuid = std::move(uuid);
  die_with_reason(self, object_of_event(st.uuid));
  self
    ->request(st.peers.journal, caf::infinite,
              recall{object_of_event(st.uuid), false})
    .then([self](const recalled& before) { recover_event(self, before); });
  return {
    [self](event_facts& facts) {
      self->state.facts = std::move(facts);
      keep_permits(self);
      feed(self, maintenance::looked{});
    },
    [self](const event_report& e) { feed(self, e); },
    [self](event_plan& x) {
      feed(self, maintenance::planned{std::move(x.plan)});
    },
    [self](const event_order& what) { return take_order(self, what); },
    [self](const job_event& e) { feed(self, e); },
    [self](const ask_consent& what) { return last_say(self, what.intent); },
    [self](const permit_called& what) { feed(self, what); },
    [self](const tick& t) {
      if (!self->state.next.rings(t))
        return;
      self->state.armed = never;
      feed(self, maintenance::looked{});
    },
  };
}

} // namespace orderly
