// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How simulated ports let time pass: whatever is to happen later is kept
// under a key, and a delayed message to oneself brings the key back. So every
// promise is delivered in a handler of its own actor.

#pragma once

#include "messages/protocol/ports.hpp"
#include "sim/ports/ports.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/replies_to.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace orderly::sim {

/// To oneself: it is time for what is kept under `key`.
struct wake {
  std::uint64_t key = 0;
};

/// State of every port: the shared lab and what is kept for later.
struct waking {
  lab_pointer lab;
  std::map<std::uint64_t, std::function<void()>> kept;
  std::uint64_t last_key = 0;
};

/// The time now; all that is due in the lab has happened. Call it under the
/// lab's guard.
template <class Self>
instant enter(Self self) {
  auto& lab = *self->state.lab;
  auto now = lab.wall(self->clock().now());
  lab.advance(now);
  return lab.truth.now();
}

/// Nothing happens in the very moment in which it was asked for.
constexpr millis shortest_wait{1};

/// Runs `f` after `delay`, at least `shortest_wait`, under the lab's guard.
template <class Self>
void later(Self self, millis delay, std::function<void()> f) {
  auto key = ++self->state.last_key;
  self->state.kept.emplace(key, std::move(f));
  self->delayed_send(self, std::max(delay, shortest_wait), wake{key});
}

/// The handler of `wake`.
template <class Self>
void woken(Self self, const wake& w) {
  auto i = self->state.kept.find(w.key);
  if (i == self->state.kept.end())
    return;
  auto f = std::move(i->second);
  self->state.kept.erase(i);
  std::lock_guard<std::mutex> hold{self->state.lab->guard};
  enter(self);
  f();
}

} // namespace orderly::sim

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::sim::wake)
