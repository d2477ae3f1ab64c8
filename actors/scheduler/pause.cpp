// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/scheduler/pause.hpp"

#include "actors/scheduler/calls.hpp"
#include "messages/codes.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly {

using namespace scheduler_parts;

namespace {

void done_with_order(self_ptr self, const pause_answer& answer) {
  auto& state = self->state;
  auto promise = std::move(state.orders.front().promise);
  state.orders.pop_front();
  state.writing.reset();
  if (promise.pending())
    promise.deliver(answer);
  next_order(self);
}

/// Nothing changes. Whoever asks relies on it all the same: it is on disk.
void pause_again(self_ptr self, const pause_order& order) {
  auto& state = self->state;
  auto why = order.pause ? "paused already by " + state.paused_by
                         : std::string{"not paused"};
  record(
    self, state.journal,
    {entry_of(self, entry_kind::note, "pause-again", order.who + ": " + why)},
    [self, why] {
      done_with_order(self, {false, why});
    });
}

/// Whoever resumes hears within so long that it is done, or it is not: shorter
/// than consoles wait before they say that it failed.
constexpr millis resumed_within = seconds{4};

/// Who resumed was told that orderly does not answer, and may have relied on
/// the pause since: it goes on, on disk, too.
void stay_paused(self_ptr self) {
  auto& state = self->state;
  auto entry = entry_about(
    self, state.ctx, "scheduler", entry_kind::decision, codes::pause,
    "it took too long to write down that it was resumed: "
    "paused by "
      + state.paused_by + " as before");
  entry.state = pause_fields(true, state.paused_by, state.damage);
  entry.state_key = pause_key;
  record(self, state.journal, {std::move(entry)}, [self] {
    done_with_order(self, {false, "it took too long to write it down: paused "
                                  "as before; ask again"});
  });
}

/// It holds, or holds no more, and is on disk.
void take_effect(self_ptr self, const pause_order& order,
                 const std::string& why) {
  auto& state = self->state;
  auto age = now(self, state.ctx) - state.orders.front().at;
  if (state.paused && !order.pause && age > resumed_within)
    return stay_paused(self);
  state.paused = order.pause;
  state.paused_by = order.pause ? text_of(order) : "";
  show(self);
  done_with_order(self, {true, why});
  if (!self->state.paused)
    call_waiting(self);
}

/// A person holds all that destroys, or lets it go on.
void pause_now(self_ptr self, const pause_order& order) {
  auto& state = self->state;
  if (state.paused == order.pause && order.who != ourselves)
    return pause_again(self, order);
  auto why
    = order.pause ? "paused by " + text_of(order) : "resumed by " + order.who;
  auto entry = entry_about(self, state.ctx, "scheduler", entry_kind::decision,
                           order.pause ? codes::pause : codes::resume, why);
  // Under a key of its own: what else is written of us in this moment knows
  // nothing of an order that is not on disk.
  entry.state = pause_fields(order.pause, order.pause ? text_of(order) : "",
                             state.damage);
  entry.state_key = pause_key;
  record(self, state.journal, {std::move(entry)},
         [self, order, why] { take_effect(self, order, why); });
}

} // namespace

void scheduler_parts::next_order(self_ptr self) {
  auto& state = self->state;
  // Before the journal was read nobody knows what there is to change.
  if (!state.recovered || state.writing || state.orders.empty())
    return;
  state.writing = state.orders.front().order;
  pause_now(self, *state.writing);
}

caf::result<pause_answer> scheduler_parts::pause(self_ptr self,
                                                 const pause_order& order) {
  constexpr std::size_t orders_max = 64;
  auto& state = self->state;
  if (state.orders.size() >= orders_max)
    return pause_answer{false, fmt::format("{} such orders wait for the disk "
                                           "already; ask again later",
                                           orders_max)};
  auto promise = self->make_response_promise<pause_answer>();
  state.orders.push_back({order, promise, now(self, state.ctx)});
  next_order(self);
  return promise;
}

} // namespace orderly
