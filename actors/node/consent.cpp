// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The offline mark lets instances be started elsewhere: it leaves only while
// the node is still fenced, still proved off, and nobody has returned it. It is
// called back when that ends, and a person hears where it comes too late or
// cannot be set.

#include "actors/node/consent.hpp"

#include "actors/policy/base/backoff.hpp"
#include "actors/policy/base/commands.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/policy/settings/power_levels.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly::node_parts {

namespace {

/// So long may the offline mark of a fenced node take before a person hears.
constexpr auto mark_patience = minutes{5};

/// The pause between two marks grows from the one to the other.
constexpr millis mark_retry_base = seconds{2};
constexpr millis mark_retry_max = minutes{1};

std::string why_not_mark(const node_state& st) {
  if (st.machine.phase != ha_phase::fenced || !st.machine.maintenance)
    return fmt::format("{} is not fenced any more", st.node);
  if (!st.machine.proved_down || !st.proof_written)
    return fmt::format("the proof that {} is off does not hold any more",
                       st.node);
  if (!st.facts)
    return fmt::format("the record of {} was not read yet", st.node);
  if (!st.facts->held.empty())
    return "automation leaves it alone: " + st.facts->held;
  if (st.facts->record.offline)
    return fmt::format("{} is marked offline already", st.node);
  if (st.marked)
    return fmt::format("somebody took {} back into service", st.node);
  return {};
}

/// Of a node that lives.
std::string command_to_return(const node_state& st) {
  return return_command(st.node,
                        has_power_control(st.facts->record, *st.ctx->rules()));
}

/// It is fenced, proved off, and nobody has returned it.
bool is_wanted(const node_state& st) {
  const auto& m = st.machine;
  return m.phase == ha_phase::fenced && m.maintenance && m.proved_down;
}

} // namespace

intent_id offline_intent(const node_state& st) {
  return mark_intent(st.machine.incident, st.offline_tries);
}

namespace {

/// Another daemon, or an earlier life, has sent it: nobody but we judges it.
void call_back_strays(self_ptr self) {
  auto& st = self->state;
  if (!st.facts || st.facts->record.offline || is_wanted(st)
      || !(st.ctx->rules()->host_ha.enabled || st.trust.answered))
    return;
  auto own = st.machine.incident + "/";
  for (const auto& job : st.facts->marks) {
    auto intent = intent_in_trail(job.reason);
    if (intent == offline_intent(st))
      continue; // see `call_back_mark`
    // One of ours whose end nobody told may come as late.
    st.stray_mark
      = st.stray_mark || (st.ctx->leads() && !intent.starts_with(own));
    self->send(st.peers.jobs,
               job_withdraw{std::move(intent), job.id, node_object(st.node)});
  }
}

} // namespace

void judge_strays(self_ptr self) {
  auto& st = self->state;
  call_back_strays(self);
  if (!st.stray_mark || (!st.facts->record.offline && !st.facts->marks.empty()))
    return;
  st.stray_mark = false;
  if (st.facts->record.offline && !is_wanted(st))
    record(self, st.peers.journal,
           entry_of(self, entry_kind::alert, "X.MARKED_ALIVE",
                    fmt::format("Node {0} was marked offline by a job of "
                                "another daemon of ours, which could not be "
                                "called back any more. If it lives, return it "
                                "to service: {1}",
                                st.node, command_to_return(st))));
}

void call_back_mark(self_ptr self) {
  auto& st = self->state;
  call_back_strays(self);
  if (is_wanted(st) || !st.offline_open || st.offline_job.empty())
    return;
  self->send(st.peers.jobs, job_withdraw{std::exchange(st.offline_job, {})});
}

void ask_about_mark(self_ptr self) {
  auto& st = self->state;
  if (!st.offline_open || st.offline_job.empty())
    return;
  job_order question; // without opcodes it is nothing else
  question.intent = st.offline_job;
  question.incident = st.machine.incident;
  question.owner = node_object(st.node);
  self->send(st.peers.jobs, std::move(question),
             caf::actor_cast<job_client>(self));
}

bool shows_end_of_mark(const node_state& st) {
  // luxid answers from its own copy of the configuration, which lags behind.
  constexpr millis lag = seconds{10};
  auto polls = 2 * st.ctx->rules()->cluster.poll_interval;
  return st.facts->read_at > st.marked_at + std::max<millis>(lag, polls);
}

namespace {

/// The record will say so with the next reading, which is asked for.
void mark_landed(self_ptr self, instant at) {
  auto& st = self->state;
  st.offline_open = st.offline_sent = false;
  st.marked = true;
  st.marked_at = at;
  self->send(st.peers.cluster, attention{{}, true, st.node});
  auto returned
    = st.facts && !st.facts->record.offline && st.facts->read_at > at;
  if (is_wanted(st) || !st.trust.answered || returned)
    return;
  record(self, st.peers.journal,
         entry_of(self, entry_kind::alert, "X.MARKED_ALIVE",
                  fmt::format("Node {0} lives and was marked offline by a job "
                              "of ours that could not be called back any more. "
                              "Return it to service: {1}",
                              st.node, command_to_return(st))));
}

} // namespace

void hear_of_mark(self_ptr self, const job_event& e) {
  auto& st = self->state;
  if (e.phase == job_phase::submitted)
    return;
  auto newest = e.intent == offline_intent(st);
  if (e.phase == job_phase::ended && e.status == job_status::success) {
    // The newest one would undo what a person does about this one.
    if (!newest && st.offline_open && !st.offline_job.empty())
      self->send(st.peers.jobs,
                 job_withdraw{std::exchange(st.offline_job, {})});
    return mark_landed(self, e.at);
  }
  if (!newest)
    return;
  st.unmarked_for = e.text;
  // It may still come: how it ends is told, and until then there is no other.
  if (e.phase == job_phase::overdue && e.id != 0)
    return;
  st.offline_sent = false;
  st.offline_open = false;
  auto pause = backoff(mark_retry_base, mark_retry_max, st.offline_tries);
  self->delayed_send(self, pause, tick{offline_tick, 0});
}

void keep_mark(self_ptr self) {
  auto& st = self->state;
  auto entry = entry_of(self, entry_kind::note, "marked", {});
  entry.state = to_fields(st);
  record(self, st.peers.journal, {std::move(entry)}, [] {});
}

void warn_unmarked(self_ptr self) {
  auto& st = self->state;
  const auto& m = st.machine;
  auto at = now(self, st.ctx);
  auto waits = m.phase == ha_phase::fenced && m.maintenance && !st.marked
               && st.facts && !st.facts->record.offline;
  st.unmarked_told = st.unmarked_told && waits;
  if (!waits || st.unmarked_told || !m.proved_down
      || at - m.since < mark_patience)
    return;
  st.unmarked_told = true;
  auto why = st.unmarked_for.empty() ? "its job has not ended"
                                     : "last try: " + st.unmarked_for;
  auto entry = entry_of(
    self, entry_kind::alert, "X.MARK_STUCK",
    fmt::format("Node {} is fenced, and for {} s it could not be marked "
                "offline: its instances wait. It is tried again for ever; look "
                "whether the queue takes jobs, and what holds them up; {}",
                st.node, (at - m.since) / seconds{1}, why));
  entry.state = to_fields(st);
  record(self, st.peers.journal, {std::move(entry)}, [] {});
}

consent last_say(const node_state& st, const intent_id& intent) {
  auto why = intent == offline_intent(st) ? why_not_mark(st)
                                          : "its incident goes on without it";
  return {why.empty(), why};
}

} // namespace orderly::node_parts
