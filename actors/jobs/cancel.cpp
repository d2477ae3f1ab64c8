// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is not wanted any more is cancelled until luxid has heard it; of what
// runs all the same a person hears.

#include "actors/jobs/queue.hpp"
#include "actors/jobs/record.hpp"
#include "actors/policy/base/backoff.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/policy/repair/autorepair.hpp"
#include "actors/shell/patience.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::jobs {

namespace {

using self_ptr = submitter_self;
using stage = job_submitter_state::stage;
using item = job_submitter_state::item;

/// Until what was not answered is cancelled again: the pause grows to the most.
constexpr millis cancel_pause = seconds{1};
constexpr millis cancel_pause_max = seconds{5};

/// Once for each job at a time: as long as luxid is away nobody hears it.
void say_cancel(self_ptr self, job_id id) {
  auto again = [self, id] {
    auto tries = ++self->state.cancels[id];
    self->delayed_send(self, backoff(cancel_pause, cancel_pause_max, tries),
                       tick{job_submitter_state::cancel_tick, id});
  };
  self->request(self->state.port, patience::port, job_cancel{id})
    .then(
      [self, id, again](const job_state& x) {
        if (x.answered)
          self->state.cancels.erase(id);
        else
          again();
      },
      [again](const caf::error&) { again(); });
}

} // namespace

void cancel(self_ptr self, job_id id) {
  auto& all = self->state.cancels;
  if (!all.emplace(id, 0).second)
    return; // it is being said, or will be again
  say_cancel(self, id);
}

void cancel_again(self_ptr self, job_id id) {
  auto& all = self->state.cancels;
  auto wanted = [&](const auto& kv) {
    const auto& x = kv.second;
    return x.id == id && x.called_back && x.stage == stage::watching
           && x.status < job_status::canceling;
  };
  const auto& items = self->state.items;
  if (std::any_of(items.begin(), items.end(), wanted))
    say_cancel(self, id);
  else
    all.erase(id);
}

void warn_unstopped(self_ptr self, item& x) {
  auto act = act_of(x.order.intent);
  if (!x.called_back || x.status != job_status::running || !act
      || !autorepair::is_risky(*act) || std::exchange(x.warned, true))
    return;
  // The job runs, but not which of its opcodes does: it may still be at its
  // tags, or already at its act. The alert assumes the act.
  auto name = x.order.owner;
  split_object(x.order.owner, "instance", name);
  auto text = fmt::format("Job {0}, the {1} of {2}, is {3}, and runs: it may "
                          "not stop. Do not start {2} at its old home before "
                          "that job has ended: gnt-job watch {0}",
                          x.id, to_string(*act), name,
                          x.overdue ? "overdue" : "not wanted any more");
  auto entry = entry_of(now(self, self->state.ctx), x, entry_kind::alert,
                        codes::not_stopped, std::move(text));
  record(self, self->state.journal, {std::move(entry)}, [] {});
}

} // namespace orderly::jobs
