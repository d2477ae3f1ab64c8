// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/instance/questions.hpp"

#include "actors/shell/patience.hpp"

namespace orderly {

job_lookup instance_parts::open_question(const instance_state& st) {
  job_lookup question;
  auto after = st.machine.traced_after;
  auto traced = st.traced == st.machine.repair
                && (after == never || st.traced_at > after);
  auto waits = after != never && st.facts && st.facts->read_at <= after;
  if (st.machine.untraced && !traced && !waits) {
    question.trail = st.machine.repair;
    question.names = st.former;
    question.names.push_back(st.instance);
    return question;
  }
  for (auto id : st.machine.asked) {
    auto i = st.earlier.find(id);
    if (i == st.earlier.end() || !is_final(i->second.status))
      question.ids.push_back(id);
  }
  return question;
}

void instance_parts::ask_earlier(self_ptr self) {
  auto& st = self->state;
  if (st.machine.asked.empty() && !st.machine.untraced) {
    st.earlier.clear(); // judged by now
    return;
  }
  auto question = open_question(st);
  auto nothing = question.ids.empty() && question.trail.empty();
  if (nothing || st.asking_earlier || !st.facts
      || (st.earlier_asked_at != never
          && st.facts->read_at <= st.earlier_asked_at))
    return;
  st.asking_earlier = true;
  st.earlier_asked_at = now(self, st.ctx);
  auto trail = question.trail;
  auto asked_at = st.earlier_asked_at;
  self->request(st.peers.jobs, patience::neighbour, std::move(question))
    .then(
      [self, trail, asked_at](const job_lookup_answer& answer) {
        auto& state = self->state;
        state.asking_earlier = false;
        // Why one failed the search does not tell: that is asked by its id.
        for (const auto& x : answer.jobs)
          if (trail.empty() || x.status != job_status::error)
            state.earlier.insert_or_assign(x.id, x);
        if (answer.answered && !trail.empty()) {
          state.traced = trail;
          state.traced_at = asked_at;
          state.trailed.clear();
          for (const auto& x : answer.jobs)
            state.trailed.push_back(x.id);
          state.earlier_asked_at = never; // how they ended is asked at once
        }
        if (answer.answered)
          look(self);
      },
      [self](const caf::error&) { self->state.asking_earlier = false; });
}

void instance_parts::ask_room(self_ptr self) {
  auto& st = self->state;
  auto fresh = st.room
               && now(self, st.ctx) - st.room_at
                    <= st.ctx->rules()->autorepair.room_max_age;
  if (!st.machine.wants_room || st.asking_room || fresh)
    return;
  st.asking_room = true;
  auto take = [self](autorepair::room_view answer) {
    auto& state = self->state;
    state.asking_room = false;
    state.room = std::move(answer);
    state.room_at = now(self, state.ctx);
    look(self);
  };
  self
    ->request(st.peers.cluster, patience::neighbour, room_question{st.instance})
    .then(
      [take](room_answer& answer) {
        take({answer.answered, std::move(answer.nodes), answer.text});
      },
      [take](const caf::error&) {
        take({false, {}, "the cluster actor did not answer"});
      });
}

} // namespace orderly
