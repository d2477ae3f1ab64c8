// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/leader.hpp"

#include <fmt/format.h>

namespace orderly {

namespace {

using self_ptr = leader_actor::stateful_pointer<leader_state>;

void publish(self_ptr self, lease next) {
  auto& st = self->state;
  if (next.held != st.held.held) {
    journal_entry entry;
    entry.at = now(self, st.ctx);
    entry.kind = entry_kind::decision;
    entry.object = "leader";
    entry.code = next.held ? "lease" : "no-lease";
    entry.why = next.text;
    record(self, st.journal, std::move(entry));
  }
  st.held = std::move(next);
  self->send(st.scheduler, st.held);
  self->send(st.oob, st.held);
  self->send(st.jobs, st.held);
}

} // namespace

leader_actor::behavior_type leader(self_ptr self, context_ptr ctx,
                                   journal_actor journal,
                                   scheduler_actor scheduler, oob_actor oob,
                                   job_submitter_actor jobs) {
  die_with_reason(self, "leader");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.journal = std::move(journal);
  st.scheduler = std::move(scheduler);
  st.oob = std::move(oob);
  st.jobs = std::move(jobs);
  return {
    [self](const poll_report& report) {
      auto& state = self->state;
      if (!report.answered)
        return; // the lease runs out by itself
      if (!report.is_master) {
        publish(self, {false, report.at,
                       "no right to act: the master is " + report.master});
        return;
      }
      auto rules = state.ctx->rules();
      auto length
        = std::min(rules->leader.lease, rules->cluster.picture_max_age);
      publish(self,
              {true, report.at + length,
               "right to act: master of the cluster is " + report.master});
      self->delayed_send(self, length, tick{0, ++state.generation});
    },
    [self](const tick& t) {
      auto& state = self->state;
      if (t.generation != state.generation || !state.held.held)
        return;
      publish(self, {false, now(self, state.ctx),
                     "no right to act: the cluster has not confirmed us as "
                     "its master for too long"});
    },
  };
}

} // namespace orderly
