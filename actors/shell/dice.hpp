// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Seeded dice (splitmix64): for jitter and for identifiers. One for each
// actor, so that a run is repeated exactly by its seed.

#pragma once

#include <cstdint>
#include <string>

namespace orderly {

class dice {
public:
  explicit dice(std::uint64_t seed) : state_(seed) {
    // nop
  }

  std::uint64_t next();

  /// Evenly in [0, bound); 0 if bound is 0.
  std::uint64_t below(std::uint64_t bound);

  /// A lower-case UUID of version 4.
  std::string uuid();

private:
  std::uint64_t state_;
};

} // namespace orderly
