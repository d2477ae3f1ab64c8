// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the actor clock does not show: it is steady, stands still while the
// machine sleeps, and knows nothing of a calendar that is set. Live they are
// read from the system, in simulation they are a value of the laboratory.

#pragma once

#include "messages/time.hpp"

#include <functional>

namespace orderly {

/// How far two other clocks are ahead of the steady one.
struct clock_offsets {
  millis boot{}; ///< time since boot, sleep included
  millis wall{}; ///< the calendar

  friend bool operator==(const clock_offsets&, const clock_offsets&) = default;
};

/// Asked whenever something is about to be done; any thread.
using clock_source = std::function<clock_offsets()>;

/// What happened to the clocks between two readings of the offsets. Evidence
/// from before is as old as the jump is long, and the steady clock does not
/// say so: right to act and proofs are void.
struct clock_jump {
  millis asleep{};  ///< the machine was suspended for so long
  millis stepped{}; ///< the calendar was set, ahead or back
};

inline clock_jump jump_between(const clock_offsets& before,
                               const clock_offsets& after) {
  auto asleep = after.boot - before.boot;
  return {asleep, after.wall - before.wall - asleep};
}

/// Longer than what clocks differ by while all is well?
inline bool is_jump(const clock_jump& x, millis tolerance) {
  return std::chrono::abs(x.asleep) > tolerance
         || std::chrono::abs(x.stepped) > tolerance;
}

/// The calendar was set ahead lately: what was written down before bears a date
/// by which it is older than it is.
struct set_ahead {
  millis by{};          ///< zero: it was not
  instant when = never; ///< by the calendar of now

  /// `t`, which was written down, by the calendar of now.
  [[nodiscard]] instant dated(instant t) const {
    return by == millis{0} || t == never || t >= when ? t : t + by;
  }
};

} // namespace orderly
