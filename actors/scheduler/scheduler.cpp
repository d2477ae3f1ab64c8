// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/scheduler/scheduler.hpp"

#include "actors/scheduler/book.hpp"
#include "actors/scheduler/calls.hpp"
#include "actors/scheduler/guards.hpp"
#include "actors/scheduler/pause.hpp"
#include "actors/shell/patience.hpp"
#include "messages/codes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly {

namespace {

/// Is a storm over? Looked at soon after it began, then so often.
constexpr auto storm_told_after = seconds{1};
constexpr auto storm_pause = seconds{5};

/// What is counted by the hour, and who waits, is looked through so often.
constexpr auto tend_pause = minutes{1};

using namespace scheduler_parts;

/// Tells when a storm begins or ends.
void weigh(self_ptr self) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  auto troubled = st.nodes.troubled();
  auto nodes = st.nodes.nodes();
  auto at = now(self, st.ctx);
  st.storm = storm::step(st.storm, troubled, nodes, storm_rules(*rules), at);
  if (st.storm.open && !st.storm_told) {
    st.storm_told = true;
    record(self, st.journal,
           entry_of(self, entry_kind::alert, codes::storm,
                    storm::may_act(st.storm, storm_rules(*rules)).why
                      + "; nothing destructive is started until it is calm"));
    self->delayed_send(self, storm_told_after, tick{storm_tick, 0});
  } else if (!st.storm.open && st.storm_told) {
    st.storm_told = false;
    record(self, st.journal,
           entry_of(self, entry_kind::decision, codes::calm,
                    fmt::format("the storm is over: {} of {} nodes are in "
                                "trouble",
                                troubled, nodes)));
    call_waiting(self);
  }
  show(self);
}

/// Nothing for balance goes from or to it.
bool holds_balance(const node_standing& x) {
  return x.troubled || !x.held.empty() || !x.closed.empty();
}

/// It is paid for and was judged; only its place is new.
permit widen(self_ptr self, const permit_request& wanted) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto rules = st.ctx->rules();
  auto soon = at + rules->rounds.hold_retry;
  if (st.table.by_owner.count(wanted.owner) == 0)
    return refused("its permit was taken back", soon);
  auto room = reservations::fits(st.table, wanted, rules->rounds.parallel_max,
                                 rules->rounds.joins_per_node_max);
  if (!room.go) {
    auto no = refused(room.why, soon);
    no.taken = true;
    return no;
  }
  reservations::reserve(st.table, wanted, ++st.next_permit, at);
  permit p;
  p.granted = true;
  p.id = st.next_permit;
  return p;
}

caf::result<permit> decide(self_ptr self, const permit_request& wanted,
                           const permit_client& client) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (!st.recovered)
    return refused("starting", at + patience::moment);
  if (wanted.resumed) {
    end_wait(st, wanted.owner);
    reservations::reserve(st.table, wanted, ++st.next_permit, at);
    permit p;
    p.granted = true;
    p.id = st.next_permit;
    return p;
  }
  if (wanted.widened)
    return widen(self, wanted);
  auto again = is_destructive(wanted.act) || wanted.act == act_kind::evacuate
               || wanted.act == act_kind::rebalance;
  if (again && reservations::holds(st.table, wanted)) {
    auto p = is_unpaid(st, wanted.owner)
               ? refused("its price is not on disk yet", at + patience::moment)
               : renew(st, wanted, at);
    if (!p.granted)
      note_pause(self, wanted);
    return p;
  }
  auto p = judged(st, wanted, at);
  note_budget(self, wanted.owner, p);
  note_pause(self, wanted);
  if (!p.granted) {
    if (client)
      let_wait(self, wanted, p, client);
    return p;
  }
  end_wait(st, wanted.owner);
  reservations::reserve(st.table, wanted, ++st.next_permit, at);
  p.id = st.next_permit;
  show(self);
  if (!is_destructive(wanted.act) || is_paid(st, wanted))
    return p;
  return pay(self, wanted);
}

void recover(self_ptr self, recalled& before) {
  auto& st = self->state;
  st.recovered = true;
  st.read_at = now(self, st.ctx);
  st.adopted = before.adopted;
  auto i = before.states.find(state_key);
  auto pause = before.states.find(pause_key);
  if (pause == before.states.end())
    pause = i; // as earlier versions kept it
  if (pause != before.states.end()) {
    st.paused = pause->second.number("paused") != 0;
    st.paused_by = pause->second.text("paused_by");
  }
  st.damage = before.damaged;
  // Nobody knows whether we were paused, nor what else was lost. Who resumes
  // has looked, and answers for it: that holds for this damage.
  if (st.damage != never
      && (pause == before.states.end()
          || pause->second.when("damage") != st.damage)) {
    auto stop = pause_order{
      true, ourselves,
      "its journal was damaged: look that no job and no power command of ours "
      "is under way, then resume"};
    st.paused = true; // and shown so, however long the disk takes
    st.paused_by = text_of(stop);
    st.orders.push_front({std::move(stop), pause_promise{}, st.read_at});
  }
  if (i == before.states.end())
    return;
  const auto& f = i->second;
  st.budget.fences = budget::from_text(f.text("fences"));
  st.budget.failovers = budget::from_text(f.text("failovers"));
  auto at = now(self, st.ctx);
  auto undated = before.undated.count(i->first) != 0;
  budget::date(st.budget, at, before.aged.count(i->first) != 0,
               undated ? st.ctx->calendar(at) : set_ahead{});
  if (f.number("storm") == 0)
    return;
  // For how long it has been calm nobody knows: the whole time again.
  st.storm.since = st.storm.open ? st.storm.since : f.when("storm_since");
  st.storm.open = true;
  if (!std::exchange(st.storm_told, true))
    self->delayed_send(self, storm_told_after, tick{storm_tick, 0});
}

risky_acts tell_risky(self_ptr self) {
  risky_acts result;
  for (const auto& [owner, held] : self->state.table.by_owner)
    if (held.what.act == act_kind::failover
        || held.what.act == act_kind::reinstall)
      result.acts.push_back(held.what);
  return result;
}

/// Permits that nobody gave back are taken back in the end.
void take_back_stale(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto age = st.ctx->rules()->rounds.permit_max_age;
  std::vector<object_id> stale;
  for (const auto& [owner, r] : st.table.by_owner)
    if (at - r.at > age)
      stale.push_back(owner);
  for (const auto& owner : stale) {
    reservations::release(st.table, owner);
    st.prices.erase(owner);
  }
}

/// A fence that its node's power control does not confirm keeps no other node
/// from being fenced. True if that is news.
bool note_stuck(self_ptr self, const node_standing& x) {
  constexpr auto stuck_after = minutes{5};
  auto& st = self->state;
  auto held = st.table.by_owner.find(node_object(x.node));
  if (held == st.table.by_owner.end()
      || held->second.what.act != act_kind::fence)
    return false;
  auto lasts = x.phase == ha_phase::fencing && x.since != never
               && now(self, st.ctx) - x.since >= stuck_after;
  return lasts && !std::exchange(held->second.stuck, true);
}

void take(self_ptr self, const node_standing& standing) {
  auto& st = self->state;
  const auto* before = st.nodes.find(standing.node);
  auto opens
    = before != nullptr && holds_balance(*before) && !holds_balance(standing);
  st.nodes.take(standing);
  if (!standing.troubled)
    forget_held(self, node_object(standing.node));
  weigh(self);
  if (note_stuck(self, standing) || opens)
    call_waiting(self);
}

void take(self_ptr self, const lease& right) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto is_new = !st.right.held && right.held;
  if (st.cluster_read_at == never && (right.held || !right.master.empty()))
    st.cluster_read_at = at;
  if (st.right.held)
    st.right_until = std::min(st.right.until, at);
  // After a time without the cluster, or under another master, trouble must be
  // seen anew first. A short gap changes nothing: nodes are asked all the time.
  auto another = !st.right.held && !st.right.master.empty();
  auto gap = at - st.right_until;
  if (is_new && (another || gap > st.ctx->rules()->cluster.picture_max_age))
    st.started = at;
  if (is_new && another)
    st.another_until = at;
  st.right = right;
  show(self);
  if (is_new)
    call_waiting(self);
}

/// Is the storm over?
void tend_storm(self_ptr self) {
  weigh(self);
  if (self->state.storm.open)
    self->delayed_send(self, storm_pause, tick{storm_tick, 0});
}

void tend(self_ptr self) {
  take_back_stale(self);
  weigh_budget(self);
  call_waiting(self);
  self->delayed_send(self, tend_pause, tick{minute_tick, 0});
}

} // namespace

scheduler_actor::behavior_type scheduler(self_ptr self, context_ptr ctx,
                                         journal_actor journal,
                                         guard_viewer view) {
  die_with_reason(self, "scheduler");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.journal = std::move(journal);
  st.view = std::move(view);
  st.started = now(self, st.ctx);
  // The prefix of all that we keep.
  self->request(st.journal, caf::infinite, recall{state_key, true})
    .then([self](recalled& before) {
      recover(self, before);
      show(self);
      next_order(self);
    });
  self->delayed_send(self, tend_pause, tick{minute_tick, 0});
  return {
    [self](const permit_request& wanted) { return decide(self, wanted, {}); },
    [self](const permit_request& wanted, const permit_client& client) {
      return decide(self, wanted, client);
    },
    [self](const permit_release& what) {
      end_wait(self->state, what.owner);
      give_back(self, what);
      call_waiting(self);
    },
    [self](const node_standing& standing) { take(self, standing); },
    [self](const pause_order& order) { return pause(self, order); },
    [self](const ask_risky_acts&) { return tell_risky(self); },
    [self](const lease& right) { take(self, right); },
    [self](const tick& t) {
      if (t.what == storm_tick)
        tend_storm(self);
      else if (t.what == call_tick)
        call_waiting(self); // who did not answer keeps nobody
      else
        tend(self);
    },
  };
}

} // namespace orderly
