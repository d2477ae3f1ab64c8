// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The one notion of time: milliseconds since the Unix epoch as the actor
// clock tells it. Live it is mapped once at start and then only moves
// forward; in simulation it is virtual. Nothing here reads a clock.

#pragma once

#include <chrono>
#include <cstdint>

namespace orderly {

using millis = std::chrono::milliseconds;
using seconds = std::chrono::seconds;
using minutes = std::chrono::minutes;
using hours = std::chrono::hours;

/// A point in time, as milliseconds since the Unix epoch (UTC).
using instant = std::chrono::sys_time<millis>;

/// Before everything; "never happened".
inline constexpr instant never{};

inline std::int64_t to_ms(instant t) {
  return t.time_since_epoch().count();
}

inline instant from_ms(std::int64_t ms) {
  return instant{millis{ms}};
}

/// Whole seconds since the epoch, as auto-repair tags carry them.
inline std::int64_t to_unix(instant t) {
  return std::chrono::floor<seconds>(t).time_since_epoch().count();
}

} // namespace orderly
