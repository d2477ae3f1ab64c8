// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/scheduler/leader.hpp"

#include "actors/shell/all_anew.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly {

namespace {

using leader_self = leader_actor::stateful_pointer<leader_state>;

constexpr const char* too_long
  = "no right to act: the cluster has not confirmed us as its master for too "
    "long";

/// A luxid that is only restarted is back by then.
constexpr millis silent_for = minutes{5};

/// So much of such a time without the right to act is told, in however many
/// pieces: what is permitted in between may not be enough.
constexpr millis gaps_within = minutes{15};
constexpr millis gaps_most = minutes{5};

/// Kinds of `tick`.
constexpr std::uint32_t lease_tick = 0;
constexpr std::uint32_t silence_tick = 1;

void publish(leader_self self, lease next) {
  auto& st = self->state;
  if (next.held != st.held.held)
    record(self, st.peers.journal,
           entry_about(self, st.ctx, leader_object, entry_kind::decision,
                       next.held ? "lease" : "no-lease", next.text));
  // Whoever is silent to us may still be the master that watches.
  if (next.held || !next.master.empty())
    st.ctx->set_duty(next.held ? duty::ours : duty::others,
                     self->clock().now());
  st.held = std::move(next);
  st.ctx->set_leads(st.held.held);
  for (const auto& client : st.peers.told)
    self->send(client, st.held);
}

millis lease_length(const settings& rules) {
  return std::min(rules.leader.lease, rules.cluster.picture_max_age);
}

lease none(instant at, std::string text, node_name master = {}) {
  return {false, at, std::move(text), std::move(master)};
}

/// Proofs, readings and the right to act are older than the actor clock says,
/// and it shows the wrong calendar: told, and all begins anew.
void begin_anew(leader_self self, const std::string& why) {
  auto& st = self->state;
  st.ending = true;
  publish(self, none(now(self, st.ctx), why));
  record(self, st.peers.journal,
         {entry_about(self, st.ctx, leader_object, entry_kind::alert,
                      "clock-jump", why)},
         [self, why] { self->quit(all_anew(why)); });
}

/// Nothing that counts was heard, and nobody else is known to be master: when
/// that lasts a person hears.
void fall_silent(leader_self self) {
  auto& st = self->state;
  if (std::exchange(st.silent, true))
    return;
  st.end.set(self, silent_for, silence_tick);
}

/// The right is held again: were the gaps in it much of the time?
void close_gap(leader_self self, instant at) {
  auto& st = self->state;
  auto& gaps = st.gaps;
  if (st.lost_at != never)
    gaps.push_back({std::exchange(st.lost_at, never), at});
  while (!gaps.empty() && at - gaps.front().to > gaps_within)
    gaps.pop_front();
  millis sum{0};
  for (const auto& x : gaps)
    sum += x.to - std::max(x.from, at - gaps_within);
  if (gaps.empty())
    st.gaps_told = false;
  if (sum < gaps_most || std::exchange(st.gaps_told, true))
    return;
  record(self, st.peers.journal,
         entry_about(self, st.ctx, leader_object, entry_kind::alert,
                     codes::cluster_silent,
                     fmt::format("The cluster answers so late that for {} s of "
                                 "the last {} min orderly had no right to act: "
                                 "what is to be started, fenced or repaired "
                                 "waits. Look at ganeti-luxid on this machine, "
                                 "or raise leader.lease",
                                 sum / seconds{1}, gaps_within / minutes{1})));
}

void take(leader_self self, const poll_report& report) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (auto why = st.ctx->why_not(); !why.empty()) {
    if (st.ctx->forbidden().empty())
      begin_anew(self, why);
    else if (st.held.text != why)
      publish(self, none(at, why));
    return;
  }
  if (!report.answered) {
    // A lease runs out by itself.
    if (!st.held.held && st.held.master.empty())
      fall_silent(self);
    return;
  }
  if (!report.is_master) {
    st.silent = false;
    st.lost_at = never;
    st.gaps.clear();
    publish(self,
            none(report.at, "no right to act: the master is " + report.master,
                 report.master));
    return;
  }
  auto length = lease_length(*st.ctx->rules());
  // What the cluster says was so when it was asked; the answer may be late.
  auto asked = report.asked_at == never ? report.at : report.asked_at;
  auto until = asked + length;
  if (until <= at) {
    if (st.held.held)
      st.lost_at = at;
    publish(self, none(at, "no right to act: the cluster's answer took longer "
                           "than a lease is long"));
    fall_silent(self);
    return;
  }
  st.silent = false;
  close_gap(self, at);
  publish(self, {true, until,
                 "right to act: master of the cluster is " + report.master,
                 report.master});
  st.end.set(self, std::chrono::duration_cast<millis>(until - at), lease_tick);
}

void run_out(leader_self self) {
  auto& st = self->state;
  st.silent = true;
  st.lost_at = now(self, st.ctx);
  publish(self, none(st.lost_at, too_long));
  st.end.add(self, silent_for, silence_tick);
}

/// Whoever is paged for a dead node hears that nothing will be done about it.
void tell_silence(leader_self self) {
  auto& st = self->state;
  if (!st.silent)
    return;
  record(
    self, st.peers.journal,
    entry_about(self, st.ctx, leader_object, entry_kind::alert,
                codes::cluster_silent,
                fmt::format("The cluster has not answered in time for {} "
                            "min: nothing is started, fenced or repaired until "
                            "it does. Look at ganeti-luxid on this "
                            "machine, and at the master node",
                            silent_for / minutes{1})));
}

} // namespace

std::string why_no_right(const context& ctx, const lease& right, instant at) {
  if (auto why = ctx.why_not(); !why.empty())
    return why;
  if (in_force(right, at))
    return {};
  if (right.held)
    return too_long;
  return right.text.empty() ? "no right to act yet" : right.text;
}

instant asked_at(const lease& right, const settings& rules) {
  return right.until - lease_length(rules);
}

leader_actor::behavior_type leader(leader_self self, context_ptr ctx,
                                   leader_peers peers) {
  die_with_reason(self, leader_object);
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.peers = std::move(peers);
  return {
    [self](const poll_report& report) {
      if (!self->state.ending)
        take(self, report);
    },
    [self](const tick& t) {
      auto& state = self->state;
      if (!state.end.rings(t))
        return;
      if (t.what == silence_tick)
        tell_silence(self);
      else if (state.held.held)
        run_out(self);
    },
  };
}

} // namespace orderly
