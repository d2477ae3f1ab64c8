// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/jobs/queue.hpp"

#include "actors/jobs/record.hpp"
#include "actors/policy/base/backoff.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/policy/base/job_errors.hpp"
#include "actors/scheduler/leader.hpp"
#include "actors/shell/patience.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::jobs {

namespace {

/// Between two searches for what is called back.
constexpr millis seek_pause = seconds{2};

/// Beyond the time for which the queue was asked to watch a job.
constexpr auto watch_slack = seconds{15};

using self_ptr = submitter_self;
using stage = job_submitter_state::stage;
using item = job_submitter_state::item;

bool past_deadline(self_ptr self, const item& x) {
  return now(self, self->state.ctx) >= x.deadline;
}

/// A search found it.
void take_found(self_ptr self, item& x, const trail_answer::found& job) {
  if (!job.archived) {
    queued(self, x, job.id);
    return;
  }
  // Nobody can wait for it any more, but how it ended is known.
  x.id = job.id;
  x.status = job.status;
  end(self, x, job_phase::ended, "it was found in the archive");
}

/// An answered search found no job of it.
void take_absence(self_ptr self, item& x) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto early = at < x.absent_from;
  x.absences += early ? 0 : 1;
  // Luxid may be working on the submission still: only what is not there a
  // while after an answer of its own will never be. What is called back is
  // sought all the time until then: once it is found it is cancelled.
  if (early || ((x.order.once || x.called_back) && x.absences < 2)) {
    auto grace = st.ctx->rules()->cluster.job_match_grace;
    x.tries = 0;
    if (!early)
      x.absent_from = at + grace;
    later(self, x, stage::matching,
          x.called_back ? seek_pause : x.absent_from - at);
    return;
  }
  if (!x.order.once && x.called_back) {
    // Luxid may read it yet: nobody is told that it was never sent.
    end(self, x, job_phase::refused,
        "called back, and not found in queue and archive");
    return;
  }
  if (!x.order.once && x.may_send) {
    x.stage = stage::ready;
    x.not_before = never;
    send_ready(self);
    return;
  }
  // From before a restart, and the owner has not asked again; or not to be
  // sent twice, whoever asks.
  x.last.absent = true;
  end(self, x, job_phase::refused,
      x.order.once ? "two searches of queue and archive found no job of it"
                   : "it was never sent");
}

/// It was not answered.
void seek_later(self_ptr self, item& x) {
  if (x.called_back)
    x.tries = 0;
  later(self, x, stage::matching, x.called_back ? seek_pause : millis{0});
}

} // namespace

void seek_first(self_ptr self, item& x) {
  auto grace = self->state.ctx->rules()->cluster.job_match_grace;
  x.absent_from = now(self, self->state.ctx) + grace;
  later(self, x, stage::matching, x.called_back ? seek_pause : grace);
}

void seek_soon(self_ptr self, item& x) {
  x.absent_from = std::max(x.absent_from, x.not_before);
  x.not_before = now(self, self->state.ctx);
  self->send(self, tick{0, 0});
}

bool is_untried(const item& x) {
  return x.refusals == 0 || is_closed_queue(x.refused_for);
}

void queued(self_ptr self, item& x, job_id id) {
  x.absences = 0;
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
                         codes::job_submitted, std::move(why))},
         [self, intent] {
           auto i = self->state.items.find(intent);
           if (i == self->state.items.end())
             return;
           if (!is_final(i->second.status))
             tell(self, i->second);
           watch(self, intent);
         });
}

void later(self_ptr self, item& x, stage next, millis least) {
  auto rules = self->state.ctx->rules();
  auto pause = std::max(least, backoff(rules->cluster.retry_base,
                                       rules->cluster.retry_max, ++x.tries));
  x.stage = next;
  x.not_before = now(self, self->state.ctx) + pause;
  self->delayed_send(self, pause, tick{0, 0});
}

void tell(self_ptr self, item& x) {
  x.told = true;
  if (x.client)
    self->send(x.client, x.last);
}

void end(self_ptr self, item& x, job_phase phase, std::string text) {
  x.stage = stage::ended;
  x.told = false; // until it is on disk; not to be forgotten before
  auto absent = x.last.absent;
  x.last
    = jobs::event_of(now(self, self->state.ctx), x, phase, std::move(text));
  x.last.absent = absent;
  x.last.by_another
    = x.status == job_status::canceled && !x.called_back && x.usurped;
  auto why = fmt::format(
    "{} {}: {}{}", x.id == 0 ? "job" : fmt::format("job {}", x.id),
    phase == job_phase::ended ? to_string(x.status) : to_string(phase),
    jobs::ops_text(x.order), x.last.text.empty() ? "" : "; " + x.last.text);
  auto intent = x.order.intent;
  record(self, self->state.journal,
         {jobs::entry_of(now(self, self->state.ctx), x, entry_kind::outcome,
                         codes::job_ended, std::move(why))},
         [self, intent] {
           auto i = self->state.items.find(intent);
           if (i != self->state.items.end() && i->second.stage == stage::ended)
             tell(self, i->second);
         });
}

void end_called_back(self_ptr self, item& x) {
  end(self, x, job_phase::refused, "called back before it was sent");
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
      seek_later(self, i->second);
  };
  // A job may have ended and been archived before anybody looked.
  self->request(st.port, patience::port, trail_query{"intent=" + intent, true})
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
            take_found(self, found, job);
            return;
          }
        take_absence(self, found);
      },
      [lost](const caf::error&) { lost(); });
}

namespace {

/// The queue knows its number no more: its archive may tell how it ended.
void ask_archive(self_ptr self, const intent_id& intent,
                 const std::string& text) {
  auto& st = self->state;
  auto over = [self, intent, text](const trail_answer& answer) {
    auto i = self->state.items.find(intent);
    if (i == self->state.items.end() || i->second.stage != stage::watching)
      return;
    auto& x = i->second;
    for (const auto& job : answer.jobs)
      if (job.id == x.id && job.archived && job.status != job_status::lost) {
        take_found(self, x, job);
        return;
      }
    if (answer.answered || past_deadline(self, x))
      end(self, x, job_phase::ended, text);
    else
      later(self, x, stage::watching, millis{0});
  };
  trail_query sought{"intent=" + intent, true};
  self->request(st.port, patience::port, std::move(sought))
    .then(over, [over](const caf::error&) { over({}); });
}

constexpr const char* no_end_in_sight = "no end in sight before our deadline";

/// What has not begun shall not when nobody expects it, nor the next of its
/// opcodes: it is cancelled whenever it waits, until the queue says that it
/// ended.
void give_up(self_ptr self, item& x) {
  if (x.status < job_status::running)
    cancel(self, x.id);
  later(self, x, stage::watching, millis{0});
  if (std::exchange(x.overdue, true))
    return;
  x.called_back = true;
  warn_unstopped(self, x);
  // Kept for an owner who comes later: it would wait for an end for ever.
  x.last = event_of(now(self, self->state.ctx), x, job_phase::overdue,
                    no_end_in_sight);
  auto why = fmt::format("job {} overdue: {}; {}", x.id, ops_text(x.order),
                         x.status < job_status::running
                           ? "cancelled, as it waited when it was asked last"
                           : "it runs, and is cancelled if it waits again");
  record(self, self->state.journal,
         {entry_of(now(self, self->state.ctx), x, entry_kind::outcome,
                   codes::job_overdue, std::move(why))},
         [self, intent = x.order.intent] {
           auto i = self->state.items.find(intent);
           if (i != self->state.items.end() && i->second.overdue
               && i->second.stage != stage::ended)
             tell(self, i->second);
         });
}

/// Who canceled it was a person or the next master: the cluster is to say first
/// who is master since. As long as it says nothing nothing is done by anybody,
/// but not for ever.
bool awaits_master(self_ptr self, item& x) {
  auto& st = self->state;
  if (x.status != job_status::canceled || x.called_back || x.usurped)
    return false;
  auto at = now(self, st.ctx);
  if (x.canceled_at == never)
    x.canceled_at = at;
  auto said = why_no_right(*st.ctx, st.right, at).empty()
              && asked_at(st.right, *st.ctx->rules()) > x.canceled_at;
  return !said && !past_deadline(self, x);
}

/// It lives while we are master: whatever another one does is over.
void see_it_live(self_ptr self, item& x) {
  auto& st = self->state;
  if (!is_final(x.status) && x.status != job_status::canceling
      && why_no_right(*st.ctx, st.right, now(self, st.ctx)).empty())
    x.usurped = false;
}

} // namespace

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
    give_up(self, i->second);
  };
  x.not_before = instant::max(); // a question is under way
  // That it was canceled is known and not judged yet: no news is waited for.
  auto known = x.canceled_at == never ? x.status : job_status::queued;
  self->request(st.port, limit + watch_slack, job_watch{x.id, known, limit})
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
        // What is not wanted any more is cancelled for as long as it can be.
        if (found.called_back && seen.status < job_status::canceling)
          cancel(self, found.id);
        warn_unstopped(self, found);
        see_it_live(self, found);
        if (seen.status == job_status::lost)
          ask_archive(self, intent, seen.text);
        else if (awaits_master(self, found))
          later(self, found, stage::watching, millis{0});
        else if (is_final(seen.status))
          end(self, found, job_phase::ended, seen.text);
        else if (past_deadline(self, found))
          quiet({});
        else
          watch(self, intent);
      },
      [quiet](const caf::error&) { quiet("no answer"); });
}

} // namespace orderly::jobs
