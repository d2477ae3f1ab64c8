// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/scheduler/calls.hpp"

#include "actors/scheduler/guards.hpp"

#include <fmt/format.h>

namespace orderly {

using namespace scheduler_parts;

namespace {

constexpr const char* failovers_first
  = "lets failovers that concern the same nodes go first";

/// By then whoever has a job under way has told which places it fills.
constexpr auto resuming = seconds{2};

/// By then the failovers of the same trouble have asked.
constexpr auto failovers_ask_within = seconds{5};

/// After the clock by which it asks again.
constexpr auto slack = seconds{5};

std::string first_text(const waiting_list::precedence& first) {
  return first.failover
           ? std::string{failovers_first}
           : fmt::format("lets {} go first, which has waited for long",
                         first.owner);
}

} // namespace

permit scheduler_parts::judged(const scheduler_state& st,
                               const permit_request& wanted, instant at) {
  auto rules = st.ctx->rules();
  auto p = guards(st, wanted, at);
  if (!p.granted)
    return p;
  auto soon = at + rules->rounds.hold_retry;
  // A single pass sends what it can and does not wait for jobs to end.
  auto single = rules->autorepair.single_pass;
  auto patient = wanted.act == act_kind::fix_storage && !single;
  if (patient && at < wanted.since + failovers_ask_within)
    return refused(failovers_first, wanted.since + failovers_ask_within);
  auto first = st.waiting.who_goes_first(st.table, wanted, at);
  if (!single && !first.owner.empty())
    return refused(first_text(first), soon);
  // Instances know of theirs once the cluster was read, which may be long after
  // the journal was.
  auto reserved_at = std::max(st.read_at, st.cluster_read_at) + resuming;
  if (at < reserved_at)
    return refused("jobs of before the start reserve their places first",
                   reserved_at);
  auto most = rules->rounds.parallel_max;
  auto joins = rules->rounds.joins_per_node_max;
  auto room
    = st.waiting.called().empty()
        ? reservations::fits(st.table, wanted, most, joins)
        : reservations::fits(st.waiting.with_called(st.table, wanted, at),
                             wanted, most, joins);
  // The cluster's own locks keep the jobs of a pass apart; only reinstalls
  // must not choose the same node by the same figures.
  if (!room.go && !(single && wanted.act != act_kind::reinstall)) {
    p = refused(std::move(room.why), soon);
    p.taken = true;
  }
  return p;
}

void scheduler_parts::let_wait(self_ptr self, const permit_request& wanted,
                               const permit& refusal,
                               const permit_client& client) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  // Before the companions of its trouble were seen it is waited for already.
  auto unsettled = wanted.act == act_kind::failover
                   && at < settled_at(st, wanted, *st.ctx->rules());
  auto until = std::max(refusal.retry_at, at) + slack;
  if (st.waiting.keep(wanted, refusal.taken || unsettled, at, until))
    st.clients.insert_or_assign(wanted.owner, client);
}

void scheduler_parts::end_wait(scheduler_state& st, const object_id& owner) {
  st.waiting.forget(owner);
  st.clients.erase(owner);
}

void scheduler_parts::call_waiting(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  for (const auto& owner : st.waiting.forget_late(at))
    st.clients.erase(owner);
  st.waiting.give_up_calls(at);
  auto most = st.ctx->rules()->rounds.parallel_max;
  auto urgent = reservations::count(st.table, true);
  auto all = reservations::count(st.table, false);
  auto take_place = [&](const permit_request& what) {
    ++all;
    urgent += is_destructive(what.act) ? 1 : 0;
  };
  for (const auto& owner : st.waiting.called())
    if (const auto* x = st.waiting.find(owner))
      take_place(x->what);
  auto called = false;
  for (const auto& owner : st.waiting.in_order(at)) {
    const auto& x = *st.waiting.find(owner);
    // Most wait for a place: that is seen without a judgement.
    if ((is_destructive(x.what.act) ? urgent : all) >= most)
      continue;
    if (x.called != never || !judged(st, x.what, at).granted)
      continue;
    take_place(x.what);
    st.waiting.call(owner, at);
    called = true;
    self->send(st.clients.at(owner), permit_called{owner});
  }
  if (called)
    self->delayed_send(self, waiting_list::answered_within, tick{call_tick, 0});
}

} // namespace orderly
