// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the right to act means for errands: without it they wait, and what they
// were asked for before it was lost is judged anew when it is back.

#include "actors/desk/errands.hpp"
#include "actors/scheduler/leader.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly {

using namespace desk_parts;

std::string desk_parts::no_right(const desk_state& st, instant at) {
  auto right = st.right.value_or(lease{});
  if (why_no_right(*st.ctx, right, at).empty())
    return st.unwatched == never
             ? std::string{}
             : "the cluster was not read since it confirmed that this is its "
               "master again";
  if (auto why = st.ctx->why_not(); !why.empty())
    return why;
  if (!right.held && !right.master.empty())
    return fmt::format("the master is {}, and only orderlyd there may act",
                       right.master);
  return "the cluster has not confirmed for a while that this is its master; "
         "look with 'orderly status'";
}

namespace {

void feed_open(self_ptr self, const errand::event& e) {
  std::vector<std::uint64_t> open;
  for (const auto& [number, s] : self->state.errands)
    if (s.ended == never)
      open.push_back(number);
  for (auto number : open)
    feed(self, number, e);
}

} // namespace

void desk_parts::end_absence(self_ptr self) {
  auto& st = self->state;
  if (st.unwatched == never || !st.going || st.read_at < st.led_at)
    return;
  feed_open(self, errand::watched_again{std::exchange(st.unwatched, never),
                                        std::exchange(st.others_led, false)});
}

void desk_parts::note_numbers(self_ptr self) {
  auto& st = self->state;
  auto w = surroundings_of(self);
  // Until it is known what was missed, nothing counts as seen.
  if (!w.no_right.empty() || !st.going)
    return;
  std::vector<journal_entry> rows;
  for (auto& [number, s] : st.errands)
    for (auto block : errand::note_numbers(s, w))
      rows.push_back(keep_block(self, s, block));
  if (!rows.empty())
    record(self, st.peers.journal, std::move(rows), [] {});
}

void desk_parts::take_right(self_ptr self, const lease& right) {
  auto& st = self->state;
  auto had = st.right && no_right(st, now(self, st.ctx)).empty();
  auto was_told = st.right && st.right->held;
  st.right = right;
  if (!right.held) {
    st.others_led = st.others_led || !right.master.empty();
  } else {
    // A core that began while another host was the master watched since then.
    auto last = st.led_at != never ? st.led_at
                : st.others_led    ? st.watched
                                   : never;
    if (!had && st.unwatched == never)
      st.unwatched = last;
    if (st.unwatched == never)
      st.others_led = false;
    st.led_at = asked_at(right, *st.ctx->rules());
  }
  resume(self);
  if (st.going && was_told && !right.held)
    feed_open(self, errand::right_gone{});
  end_absence(self);
  if (right.held && !was_told)
    wake_waiting(self);
}

} // namespace orderly
