// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/job_submitter_queue.hpp"

#include "actors/job_submitter_record.hpp"
#include "actors/policy/backoff.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::jobs {

namespace {

using self_ptr = submitter_self;
using stage = job_submitter_state::stage;
using item = job_submitter_state::item;

/// It is in the queue under `id`.
void queued(self_ptr self, item& x, job_id id) {
  x.id = id;
  x.stage = stage::watching;
  x.not_before = instant::max(); // asked about once it is written down
  x.tries = 0;
  x.last
    = jobs::event_of(now(self, self->state.ctx), x, job_phase::submitted, {});
  if (x.called_back)
    cancel(self, id);
  auto intent = x.order.intent;
  auto why = fmt::format("job {}: {}", id, jobs::ops_text(x.order));
  record(self, self->state.journal,
         {jobs::entry_of(now(self, self->state.ctx), x, entry_kind::outcome,
                         "job-submitted", std::move(why))},
         [self, intent] {
           auto i = self->state.items.find(intent);
           if (i == self->state.items.end())
             return;
           if (!is_final(i->second.status))
             tell(self, i->second);
           watch(self, intent);
         });
}

/// Looks at `x` again after a growing pause.
void later(self_ptr self, item& x, stage next, millis least) {
  auto rules = self->state.ctx->rules();
  auto pause = std::max(least, backoff(rules->cluster.retry_base,
                                       rules->cluster.retry_max, ++x.tries));
  x.stage = next;
  x.not_before = now(self, self->state.ctx) + pause;
  self->delayed_send(self, pause, tick{0, 0});
}

bool past_deadline(self_ptr self, const item& x) {
  return now(self, self->state.ctx) >= x.deadline;
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
      later(self, x, stage::matching, rules->cluster.job_match_grace);
    }
  }
  if (answer.outcome == submit_outcome::accepted)
    st.send_alone = false;
  send_ready(self);
}

} // namespace

void tell(self_ptr self, item& x) {
  x.told = true;
  if (x.client)
    self->send(x.client, x.last);
}

void end(self_ptr self, item& x, job_phase phase, std::string text) {
  x.stage = stage::ended;
  x.last
    = jobs::event_of(now(self, self->state.ctx), x, phase, std::move(text));
  auto why = fmt::format(
    "{} {}: {}{}", x.id == 0 ? "job" : fmt::format("job {}", x.id),
    phase == job_phase::ended ? to_string(x.status) : to_string(phase),
    jobs::ops_text(x.order), x.last.text.empty() ? "" : "; " + x.last.text);
  auto intent = x.order.intent;
  record(self, self->state.journal,
         {jobs::entry_of(now(self, self->state.ctx), x, entry_kind::outcome,
                         "job-ended", std::move(why))},
         [self, intent] {
           auto i = self->state.items.find(intent);
           if (i != self->state.items.end() && i->second.stage == stage::ended)
             tell(self, i->second);
         });
}

void cancel(self_ptr self, job_id id) {
  self->request(self->state.port, minutes{1}, job_cancel{id})
    .then([](const job_state&) {}, [](const caf::error&) {});
}

void end_called_back(self_ptr self, item& x) {
  end(self, x, job_phase::refused, "called back before it was sent");
}

void send_ready(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (st.sending || !st.right.held || at >= st.right.until)
    return;
  job_submission call;
  std::vector<intent_id> sent;
  for (auto& [intent, x] : st.items) {
    if (x.stage != stage::ready || at < x.not_before)
      continue;
    if (at >= x.deadline || at >= x.send_before) {
      x.untried = x.refusals == 0;
      end(self, x, job_phase::refused,
          "not sent while what it rests on was fresh");
      continue;
    }
    x.stage = stage::sending;
    call.jobs.push_back({x.order.ops, trail_text(x.order.incident, intent),
                         st.ctx->rules()->cluster.remark});
    sent.push_back(intent);
    if (st.send_alone)
      break;
  }
  if (sent.empty())
    return;
  st.sending = true;
  self->request(st.port, minutes{2}, std::move(call))
    .then([self,
           sent](const submit_answer& answer) { answered(self, sent, answer); },
          [self, sent](const caf::error&) {
            answered(self, sent,
                     {submit_outcome::unknown, {}, "the queue did not answer"});
          });
}

void match(self_ptr self, const intent_id& intent) {
  auto& st = self->state;
  auto& x = st.items.at(intent);
  x.stage = stage::sending; // a question is under way
  auto lost = [self, intent] {
    auto i = self->state.items.find(intent);
    if (i == self->state.items.end())
      return;
    if (past_deadline(self, i->second))
      end(self, i->second, job_phase::overdue,
          "unknown whether it was sent: the queue does not answer");
    else
      later(self, i->second, stage::matching, millis{0});
  };
  self->request(st.port, minutes{1}, trail_query{"intent=" + intent})
    .then(
      [self, intent, lost](const trail_answer& answer) {
        if (!answer.answered) {
          lost();
          return;
        }
        auto i = self->state.items.find(intent);
        if (i == self->state.items.end())
          return;
        auto& found = i->second;
        for (const auto& job : answer.jobs)
          if (intent_in_trail(job.reason) == intent) {
            queued(self, found, job.id);
            return;
          }
        if (found.called_back) {
          end_called_back(self, found);
        } else if (found.may_send) {
          found.stage = stage::ready;
          found.not_before = never;
          send_ready(self);
        } else {
          // From before a restart, and the owner has not asked again.
          end(self, found, job_phase::refused, "it was never sent");
        }
      },
      [lost](const caf::error&) { lost(); });
}

void watch(self_ptr self, const intent_id& intent) {
  auto& st = self->state;
  auto& x = st.items.at(intent);
  auto limit = st.ctx->rules()->cluster.job_watch_limit;
  auto quiet = [self, intent](const std::string&) {
    auto i = self->state.items.find(intent);
    if (i == self->state.items.end() || i->second.stage != stage::watching)
      return;
    if (!past_deadline(self, i->second)) {
      later(self, i->second, stage::watching, millis{0});
      return;
    }
    // If it never started it shall not start when nobody expects it.
    cancel(self, i->second.id);
    end(self, i->second, job_phase::overdue,
        "no end in sight before our deadline");
  };
  x.not_before = instant::max(); // a question is under way
  self->request(st.port, limit + seconds{15}, job_watch{x.id, x.status, limit})
    .then(
      [self, intent, quiet](const job_state& seen) {
        auto i = self->state.items.find(intent);
        if (i == self->state.items.end() || i->second.stage != stage::watching)
          return;
        if (!seen.answered) {
          quiet(seen.text);
          return;
        }
        auto& found = i->second;
        found.tries = 0;
        found.status = seen.status;
        if (is_final(seen.status))
          end(self, found, job_phase::ended, seen.text);
        else if (past_deadline(self, found))
          quiet({});
        else
          watch(self, intent);
      },
      [quiet](const caf::error&) { quiet("no answer"); });
}

} // namespace orderly::jobs
