// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Clusters for the planner's tests: one whose figures the reference gave, and
// drawn ones that are the same for the same seed.

#pragma once

#include "actors/planning/search/exact.hpp"

namespace orderly::planning::samples {

/// Four nodes, one of them offline, six instances: down, offline, not
/// balanced, forthcoming. `hbal -vvv` of Debian says what it scores.
extern const char* const small_text;

/// The text as a cluster; fails the test if it cannot be read.
cluster read(const std::string& text);

cluster small();

/// Small numbers that follow from a seed.
class dice {
public:
  explicit dice(std::uint64_t seed) : state_(seed * 2654435761U + 1) {}

  /// 0 to sides-1.
  int roll(int sides);

  bool chance(int percent) { return roll(100) < percent; }

private:
  std::uint64_t state_;
};

/// Which sorts of trouble a drawn cluster may have.
struct flavour {
  bool tags = false;
  bool forthcoming = false;
  bool exclusive = false;
  bool offline = false;
  bool loads = false;
  bool pools = false; ///< most nodes do not reach all storage
};

cluster draw(std::uint64_t seed, int nodes, int instances, flavour f);

} // namespace orderly::planning::samples
