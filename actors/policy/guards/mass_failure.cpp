// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/mass_failure.hpp"

#include <algorithm>
#include <cmath>

namespace orderly {

bool is_mass_failure(std::uint32_t away, std::uint32_t managed,
                     std::optional<double> ratio) {
  if (!ratio || !(*ratio >= 0))
    return false;
  // In millionths: 0.3 of 10 is exactly 3, which binary fractions miss.
  auto millionths = static_cast<std::uint64_t>(
    std::llround(std::min(*ratio, 1.0) * 1'000'000));
  return std::uint64_t{away} * 1'000'000 > millionths * managed;
}

} // namespace orderly
