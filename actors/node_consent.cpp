// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The offline mark lets instances be started elsewhere: it leaves only while
// the node is still fenced, still proved off, and nobody has returned it.

#include "actors/node_consent.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly::node_parts {

namespace {

std::string why_not_mark(const node_state& st) {
  if (st.machine.phase != ha_phase::fenced || !st.machine.maintenance)
    return fmt::format("{} is not fenced any more", st.node);
  if (!st.machine.proved_down)
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

/// It is fenced, proved off, and nobody has returned it.
bool is_wanted(const node_state& st) {
  const auto& m = st.machine;
  return m.phase == ha_phase::fenced && m.maintenance && m.proved_down;
}

} // namespace

intent_id offline_intent(const node_state& st) {
  return fmt::format("{}/offline-{}", st.machine.incident, st.offline_tries);
}

void call_back_mark(self_ptr self) {
  auto& st = self->state;
  if (is_wanted(st) || !st.offline_open || st.offline_job.empty())
    return;
  self->send(st.peers.jobs, job_withdraw{std::exchange(st.offline_job, {})});
}

void mark_landed(self_ptr self) {
  auto& st = self->state;
  st.offline_open = false;
  st.marked = true;
  if (is_wanted(st) || !st.answered)
    return;
  record(self, st.peers.journal,
         entry_of(self, entry_kind::alert, "X.MARKED_ALIVE",
                  fmt::format("Node {0} lives and was marked offline by a job "
                              "of ours that could not be called back any more. "
                              "Return it to service: gnt-node modify "
                              "--offline=no {0}",
                              st.node)));
}

consent last_say(const node_state& st, const intent_id& intent) {
  auto why = intent == offline_intent(st) ? why_not_mark(st)
                                          : "its incident goes on without it";
  return {why.empty(), why};
}

} // namespace orderly::node_parts
