// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/lab/quick_clock.hpp"

#include <caf/abstract_actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/error.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/make_message.hpp>
#include <caf/sec.hpp>

#include <algorithm>
#include <cstdlib>

namespace orderly::sim {

std::optional<caf::actor_clock::time_point> quick_clock::next_due() {
  while (!order_.empty() && !timers_[order_.front().timer].receiver)
    drop_top();
  if (order_.empty())
    return std::nullopt;
  return order_.front().due;
}

void quick_clock::trigger(time_point due) {
  if (current_time < due)
    current_time = due;
  while (!order_.empty() && order_.front().due <= due) {
    auto x = std::move(timers_[order_.front().timer]);
    drop_top();
    if (!x.receiver)
      continue;
    auto* who = x.receiver->get();
    if (!x.content) {
      forget(who->id(), x.request);
      who->eq_impl(x.request, x.receiver, nullptr, caf::sec::request_timeout);
    } else {
      who->enqueue(std::move(x.content), nullptr);
    }
  }
}

void quick_clock::set_request_timeout(time_point t, caf::abstract_actor* self,
                                      caf::message_id id) {
  timer x;
  x.receiver = caf::actor_cast<caf::strong_actor_ptr>(self);
  x.request = id;
  add(t, std::move(x));
  limits_of(self->id()).emplace_back(id, order_.back().timer);
  std::push_heap(order_.begin(), order_.end());
}

void quick_clock::cancel_request_timeout(caf::abstract_actor* self,
                                         caf::message_id id) {
  auto& mine = limits_of(self->id());
  auto i = std::find_if(mine.begin(), mine.end(),
                        [&](const auto& x) { return x.first == id; });
  if (i == mine.end())
    return;
  take_back(i->second);
  *i = mine.back();
  mine.pop_back();
}

void quick_clock::cancel_timeouts(caf::abstract_actor* self) {
  auto& mine = limits_of(self->id());
  for (const auto& x : mine)
    take_back(x.second);
  mine.clear();
}

void quick_clock::schedule_message(time_point t, caf::strong_actor_ptr receiver,
                                   caf::mailbox_element_ptr content) {
  if (!receiver)
    return;
  timer x;
  x.receiver = std::move(receiver);
  x.content = std::move(content);
  add(t, std::move(x));
  std::push_heap(order_.begin(), order_.end());
}

void quick_clock::cancel_all() {
  // What goes may take timers of others with it: not while it is in our list.
  auto gone = std::move(timers_);
  timers_.clear();
  unused_.clear();
  order_.clear();
  limits_.clear();
  gone.clear();
}

void quick_clock::set_ordinary_timeout(time_point, caf::abstract_actor*,
                                       caf::atom_value, std::uint64_t) {
  std::abort();
}

void quick_clock::set_multi_timeout(time_point, caf::abstract_actor*,
                                    caf::atom_value, std::uint64_t) {
  std::abort();
}

void quick_clock::cancel_ordinary_timeout(caf::abstract_actor*,
                                          caf::atom_value) {
  // nop
}

void quick_clock::schedule_message(time_point, caf::group,
                                   caf::strong_actor_ptr, caf::message) {
  std::abort();
}

/// Leaves it at the end of the heap, for the caller to push.
void quick_clock::add(time_point t, timer what) {
  std::uint32_t index = 0;
  if (unused_.empty()) {
    index = static_cast<std::uint32_t>(timers_.size());
    timers_.push_back(std::move(what));
  } else {
    index = unused_.back();
    unused_.pop_back();
    timers_[index] = std::move(what);
  }
  order_.push_back({t, ++turns_, index});
}

void quick_clock::take_back(std::uint32_t index) {
  auto gone = std::move(timers_[index]);
  timers_[index] = {};
}

void quick_clock::drop_top() {
  unused_.push_back(order_.front().timer);
  std::pop_heap(order_.begin(), order_.end());
  order_.pop_back();
}

void quick_clock::forget(caf::actor_id who, caf::message_id id) {
  auto& mine = limits_of(who);
  // Those of the same length end in the order of their begin.
  auto i = std::find_if(mine.begin(), mine.end(),
                        [&](const auto& x) { return x.first == id; });
  if (i != mine.end())
    mine.erase(i);
}

std::vector<std::pair<caf::message_id, std::uint32_t>>&
quick_clock::limits_of(caf::actor_id who) {
  if (limits_.size() <= who)
    limits_.resize(who + 1);
  return limits_[who];
}

} // namespace orderly::sim
