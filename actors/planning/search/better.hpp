// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The better of two searches. The fast one goes further nearly always, but
// not always: it weighs what moves cost, and guesses. Where the exact search
// takes no longer than about a second, both look, and the plan that ends at the
// lower score is taken; of equals the one with fewer net moves.
//
//   fast --plan--> exact, as far as its effort goes --plan--> the better one

#pragma once

#include "actors/planning/search/fast.hpp"

namespace orderly::planning {

struct better_rules {
  fast_rules fast;
  /// About so many moves the exact search may look at: it looks at some 100
  /// million a second on one core of a usual server. Planning reads no clock,
  /// so that the same input gives the same plan everywhere.
  std::int64_t exact_effort_max = 100'000'000;
};

struct better_plan {
  fast_plan plan;
  bool by_exact = false; ///< which of both it is from
};

/// The exact search, which ends before a step that could be beyond `effort`;
/// takes from that what it looked at.
plan balance_within(placement& p, const search_rules& rules,
                    std::int64_t& effort,
                    const std::function<bool()>& is_over = {});

/// Moves on `p` as the better plan says.
better_plan balance_better(placement& p, const search_rules& rules,
                           const better_rules& how);

} // namespace orderly::planning
