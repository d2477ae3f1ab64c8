// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The only dice of the simulated world: splitmix64, one stream a name, so
// that a new player does not shift the throws of the others.

#pragma once

#include <cstdint>
#include <string_view>

namespace orderly::sim {

class dice {
public:
  explicit dice(std::uint64_t seed) : state_(seed) {
    // nop
  }

  std::uint64_t next();

  /// A number in [0, n); 0 if `n` is 0.
  std::uint64_t below(std::uint64_t n);

  /// A number in [least, most].
  std::int64_t between(std::int64_t least, std::int64_t most);

  /// True in `per_mille` of 1000 throws.
  bool chance(std::uint64_t per_mille);

private:
  std::uint64_t state_;
};

/// The stream of `name` under `seed`.
dice dice_for(std::uint64_t seed, std::string_view name);

} // namespace orderly::sim
