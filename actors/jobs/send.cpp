// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The last step before the queue: the owners are asked once more, then what
// they still want leaves in one call.

#include "actors/jobs/queue.hpp"
#include "actors/scheduler/leader.hpp"
#include "actors/shell/patience.hpp"

#include <memory>
#include <utility>

namespace orderly::jobs {

namespace {

using self_ptr = submitter_self;
using stage = job_submitter_state::stage;
using item = job_submitter_state::item;

/// An owner that does not answer by then has not consented.
constexpr auto consent_patience = seconds{5};

/// Those who are asked together, and who of them consented.
struct consents {
  std::size_t open = 0;
  std::vector<intent_id> wanted;
};

using consents_ptr = std::shared_ptr<consents>;

bool may_act(self_ptr self) {
  const auto& st = self->state;
  return why_no_right(*st.ctx, st.right, now(self, st.ctx)).empty();
}

bool too_late(self_ptr self, const item& x) {
  auto at = now(self, self->state.ctx);
  return at >= x.deadline || at >= x.order.send_before;
}

/// It does not leave: its owner is told why.
void withdraw(self_ptr self, item& x, std::string why) {
  x.untried = is_untried(x);
  if (x.refusals > 0)
    why += "; the queue refused it before: " + x.refused_for;
  end(self, x, job_phase::refused, std::move(why));
}

void end_too_late(self_ptr self, item& x) {
  withdraw(self, x, "not sent while what speaks for it was fresh");
}

/// A submission came back, for the intents in `sent`.
void answered(self_ptr self, const std::vector<intent_id>& sent,
              const submit_answer& answer) {
  auto& st = self->state;
  st.sending = false;
  auto rules = st.ctx->rules();
  for (std::size_t i = 0; i < sent.size(); ++i) {
    auto found = st.items.find(sent[i]);
    if (found == st.items.end())
      continue;
    auto& x = found->second;
    if (answer.outcome == submit_outcome::accepted && i < answer.ids.size()) {
      queued(self, x, answer.ids[i]);
    } else if (answer.outcome == submit_outcome::refused && x.called_back) {
      end_called_back(self, x);
    } else if (answer.outcome == submit_outcome::refused) {
      x.refused_for = answer.text;
      if (sent.size() > 1) {
        // One bad job makes the queue refuse all: find out which.
        st.send_alone = true;
        x.stage = stage::ready;
      } else if (++x.refusals > rules->cluster.job_resubmits_max) {
        end(self, x, job_phase::refused, answer.text);
      } else {
        later(self, x, stage::ready, millis{0});
      }
    } else {
      seek_first(self, x);
    }
  }
  if (answer.outcome == submit_outcome::accepted)
    st.send_alone = false;
  send_ready(self);
}

void send(self_ptr self, const std::vector<intent_id>& wanted) {
  auto& st = self->state;
  job_submission call;
  std::vector<intent_id> sent;
  for (const auto& intent : wanted) {
    auto i = st.items.find(intent);
    if (i == st.items.end() || i->second.stage != stage::asking)
      continue;
    auto& x = i->second;
    if (x.called_back) {
      x.untried = is_untried(x);
      end_called_back(self, x);
    } else if (too_late(self, x)) {
      end_too_late(self, x);
    } else if (!may_act(self)) {
      x.stage = stage::ready;
    } else {
      x.stage = stage::sending;
      x.absences = 0;
      call.jobs.push_back({x.order.ops, trail_text(x.order.incident, intent),
                           st.ctx->rules()->cluster.remark});
      sent.push_back(intent);
    }
  }
  if (sent.empty()) {
    st.sending = false;
    send_ready(self);
    return;
  }
  self->request(st.port, 2 * patience::port, std::move(call))
    .then([self,
           sent](const submit_answer& answer) { answered(self, sent, answer); },
          [self, sent](const caf::error&) {
            answered(self, sent,
                     {submit_outcome::unknown, {}, "the queue did not answer"});
          });
}

/// One owner of those who are asked said what it has to say; null: nothing in
/// time.
void heard(self_ptr self, const consents_ptr& r, const intent_id& intent,
           const consent* said) {
  auto i = self->state.items.find(intent);
  if (i != self->state.items.end() && i->second.stage == stage::asking) {
    auto& x = i->second;
    if (x.called_back || (said != nullptr && said->go))
      r->wanted.push_back(intent);
    else if (said == nullptr)
      later(self, x, stage::ready, millis{0});
    else
      withdraw(self, x, "withdrawn before it was sent: " + said->why);
  }
  if (--r->open == 0)
    send(self, r->wanted);
}

} // namespace

void send_ready(self_ptr self) {
  auto& st = self->state;
  if (st.sending || !may_act(self))
    return;
  auto at = now(self, st.ctx);
  std::vector<std::pair<intent_id, job_client>> asked;
  for (auto& [intent, x] : st.items) {
    if (x.stage != stage::ready || at < x.not_before)
      continue;
    if (too_late(self, x)) {
      end_too_late(self, x);
      continue;
    }
    x.stage = stage::asking;
    asked.emplace_back(intent, x.client);
    if (st.send_alone)
      break;
  }
  if (asked.empty())
    return;
  st.sending = true;
  auto r = std::make_shared<consents>();
  r->open = asked.size();
  for (const auto& [intent, client] : asked)
    self->request(client, consent_patience, ask_consent{intent})
      .then([self, r, intent = intent](
              const consent& said) { heard(self, r, intent, &said); },
            [self, r, intent = intent](const caf::error&) {
              heard(self, r, intent, nullptr);
            });
}

} // namespace orderly::jobs
