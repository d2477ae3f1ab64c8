// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/daemon/memory.hpp"

#include "messages/time.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>

#include <malloc.h>

namespace orderly {

namespace {

constexpr auto between_searches = seconds{10};
constexpr std::size_t one_mib = 1024 * 1024;

/// Less is not missed.
constexpr std::size_t least_free = 4 * one_mib;

/// Of what is in use, so much may be free beside it: the next picture takes it.
constexpr std::size_t free_part = 4;

struct memory_state {
  // No aggregate: CAF would try to make it from the actor's own pointer.
  memory_state() = default;

  std::size_t left = 0; ///< free after the last search
};

/// A search for pages to give back takes milliseconds, in which who wants
/// memory waits. In bytes: what nobody uses, and what is in use.
bool is_worth_a_search(std::size_t free, std::size_t used) {
  return free > least_free && free > used / free_part;
}

using memory_self = memory_actor::stateful_pointer<memory_state>;

void weigh(memory_self self) {
  self->delayed_send(self, between_searches, tick{});
  auto& left = self->state.left;
  auto now = ::mallinfo2();
  left = std::min(left, now.fordblks);
  // Pages that were given back count as free: only what came since is news.
  if (!is_worth_a_search(now.fordblks - left, now.uordblks))
    return;
  ::malloc_trim(0);
  left = ::mallinfo2().fordblks;
}

memory_actor::behavior_type memory_watch(memory_self self) {
  weigh(self);
  return {[self](tick) { weigh(self); }};
}

} // namespace

memory_actor spawn_memory_watch(caf::actor_system& system) {
  return system.spawn<caf::detached>(memory_watch);
}

} // namespace orderly
