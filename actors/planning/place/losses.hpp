// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How many nodes lose N+1 by a move, so that a place is taken that costs none.
// For whoever takes instances off nodes.

#pragma once

#include "actors/planning/moves/trial.hpp"
#include "actors/planning/score/shared_n1.hpp"

#include <vector>

namespace orderly::planning {

/// Counts nodes that would lose N+1, of both kinds, against how it was when
/// this was made.
class loss_count {
public:
  explicit loss_count(placement& p) : p_(p), before_(p) {
    for (int n = 0; n < p.node_count(); ++n)
      was_short_.push_back(is_short(n));
  }

  int after(int instance, const outcome& x) {
    trial t{p_};
    t.make({instance, move_kind::failover, -1}, x);
    auto result = 0;
    for (int n = 0; n < p_.node_count(); ++n)
      result += is_short(n) && !was_short_[at(n)] ? 1 : 0;
    constexpr std::size_t most_moves = 4;
    if (!before_.concerned() || before_.has_plenty(most_moves))
      return result;
    shared_n1 now{p_};
    for (int n = 0; n < p_.node_count(); ++n)
      result += before_.covered(n) && !now.covered(n) ? 1 : 0;
    return result;
  }

private:
  bool is_short(int n) const {
    return p_.facts[at(n)].online && p_.states[at(n)].short_of_memory;
  }

  placement& p_;
  shared_n1 before_;
  std::vector<bool> was_short_;
};

} // namespace orderly::planning
