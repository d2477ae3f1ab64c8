// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How well a node group stands: what hcheck counts before and after it looked
// what balancing would do.

#pragma once

#include "actors/planning/place/global_n1.hpp"
#include "actors/planning/search/exact.hpp"

namespace orderly::planning {

struct health {
  std::int64_t short_nodes = 0;       ///< that are not N+1 happy
  std::int64_t conflicted_nodes = 0;  ///< with instances that exclude others
  std::int64_t offline_primaries = 0; ///< instances
  std::int64_t offline_secondaries = 0;
  std::int64_t unlosable_nodes = 0; ///< by global_n1; 0 if that is not asked
  double score = 0;

  /// Is there anything that balancing might mend?
  bool is_bad() const {
    return short_nodes > 0 || conflicted_nodes > 0 || offline_primaries > 0
           || offline_secondaries > 0 || unlosable_nodes > 0;
  }
};

/// `n1` is of `p`, or null: then nobody asks it.
health health_of(const placement& p, global_n1* n1);

health& operator+=(health& a, const health& b);

/// Balances until no move is worth it; `n1`, if given, hears of each.
void mend(placement& p, global_n1* n1, const search_rules& rules);

} // namespace orderly::planning
