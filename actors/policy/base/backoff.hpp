// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Exponential back-off: base, doubled for each try before, never above cap.

#pragma once

#include "messages/time.hpp"

#include <algorithm>
#include <cstdint>

namespace orderly {

/// The pause before try number `n` (1, 2, ...): min(base * 2^(n-1), cap).
/// Rule R10 of the host-HA spec; 10, 20, 40, 60, 60 ... for base 10, cap 60.
inline millis backoff(millis base, millis cap, std::uint32_t n) {
  auto pause = base;
  for (std::uint32_t i = 1; i < n && pause < cap; ++i)
    pause *= 2;
  return std::min(pause, cap);
}

} // namespace orderly
