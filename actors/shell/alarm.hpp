// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The one timer that most actors have: set anew, it forgets what it was set to.
// Who waits for several things at once, each by itself (a supervisor for its
// children, the power switch for its nodes), has no alarm but numbers its waits:
// a `tick` brings the number back, and one that is not known any more is stale.

#pragma once

#include "messages/protocol/tick.hpp"
#include "messages/time.hpp"

#include <algorithm>
#include <cstdint>

namespace orderly {

class alarm {
public:
  /// Rings after `pause`, at once if that is negative; not when it was to.
  template <class Self>
  void set(Self* self, millis pause, std::uint32_t what = 0) {
    ++generation_;
    add(self, pause, what);
  }

  /// Rings after `pause`, too, unless it is set anew or stopped by then.
  template <class Self>
  void add(Self* self, millis pause, std::uint32_t what = 0) {
    self->delayed_send(self, std::max(pause, millis{0}),
                       tick{what, generation_});
  }

  void stop() { ++generation_; }

  /// Is this what it was set to last? Any other tick is stale: ignore it.
  [[nodiscard]] bool rings(const tick& t) const {
    return t.generation == generation_;
  }

private:
  std::uint64_t generation_ = 0;
};

} // namespace orderly
