// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A time that is known again after the calendar was set: by the calendar, and
// by the clock that nobody sets, which counts from the start of the machine.

#pragma once

#include "messages/time.hpp"

#include <cstdint>

namespace orderly::io {

struct known_time {
  std::int64_t time = 0;   ///< ms since the epoch; 0: never
  std::int64_t uptime = 0; ///< ms since the machine was started
  std::int64_t boot = 0;   ///< checksum of that start's name; 0: not known
};

[[nodiscard]] known_time time_of_now();

/// By the calendar of now, however that was set since; by the one of then if
/// the machine was started anew.
[[nodiscard]] instant time_of(const known_time& then);

/// The machine was started anew since then.
[[nodiscard]] bool is_of_other_start(const known_time& then);

} // namespace orderly::io
