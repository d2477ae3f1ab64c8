// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/maintenance/plans.hpp"

#include "actors/shell/patience.hpp"

#include <utility>

namespace orderly::intake_parts {

namespace {

void answer(self_ptr self, const std::set<std::string>& whom,
            const evacuation_answer& plan) {
  auto& st = self->state;
  for (const auto& uuid : whom) {
    auto i = st.events.find(uuid);
    if (i != st.events.end() && i->second.actor)
      self->send(i->second.actor, event_plan{plan});
  }
}

/// Nodes that are to be empty: of all that evacuate, whether they ask or not.
evacuation_wanted question_of(const intake_state& st) {
  evacuation_wanted q;
  for (const auto& [uuid, x] : st.events) {
    if (!x.standing || is_final(x.standing->phase))
      continue;
    q.closed.insert(x.standing->node);
    if (x.standing->action != event_action::live_repair
        && (x.standing->phase == event_phase::draining
            || x.standing->phase == event_phase::evacuating))
      q.leaves.insert(x.standing->node);
  }
  for (const auto& [name, x] : st.standings)
    if (x.troubled || !x.held.empty() || !x.closed.empty())
      q.closed.insert(name);
  return q;
}

} // namespace

void plan(self_ptr self) {
  auto& st = self->state;
  if (st.planning || st.want_plans.empty())
    return;
  st.planning = true;
  auto whom = std::exchange(st.want_plans, {});
  auto done = [self, whom](const evacuation_answer& x) {
    self->state.planning = false;
    answer(self, whom, x);
    plan(self);
  };
  self->request(st.peers.planner, patience::look, question_of(st))
    .then([done](const evacuation_answer& x) { done(x); },
          [done](const caf::error&) {
            evacuation_answer none;
            none.text = "the balancer does not answer";
            done(none);
          });
}

} // namespace orderly::intake_parts
