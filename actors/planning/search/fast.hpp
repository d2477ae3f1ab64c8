// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The fast search: good moves instead of the best one, pairs of moves where no
// single one helps, and a plan of net moves in an order that can be carried
// out. The same input, rules and budget of moves give the same plan on every
// machine; only a deadline can cut it elsewhere.
//
//   single moves --none left--> pairs --none left--> net moves --> order

#pragma once

#include "actors/planning/search/exact.hpp"

#include <cstdint>

namespace orderly::planning {

/// What the N+1 of shared storage is to a search; see shared_n1.hpp.
enum class shared_n1_use {
  off,
  term,       ///< an uncovered node costs as much as an instance short of N+1
  constraint, ///< no move uncovers a node
};

struct fast_progress {
  double score = 0;
  int moves = 0; ///< net ones
};

struct fast_rules {
  /// What a unit of cost must gain, times the number of nodes: a node more
  /// makes each move matter less.
  double move_cost = 0.05;
  shared_n1_use shared_n1 = shared_n1_use::constraint;
  /// About so many moves are tried at most.
  std::int64_t effort_max = 8'000'000;
  /// Is the time over? Asked often; whoever has no deadline leaves it out.
  std::function<bool()> is_over;
  std::function<void(const fast_progress&)> on_progress;
};

/// A plan of net moves; `final` is its score to the last bit.
struct fast_plan {
  plan found;
  double cost = 0;            ///< of its moves; a migration is 1
  std::size_t moves_made = 0; ///< by the search, to find it
  std::int64_t effort = 0;    ///< how many moves it tried
  bool cut = false;           ///< the deadline or the budget ended it
  bool compact = false;       ///< net moves; else as the search made them
};

/// What a unit of cost must take off the score of this placement.
double cost_rate_of(const placement& p, const fast_rules& fast);

/// Moves on `p` as far as it pays.
fast_plan balance_fast(placement& p, const search_rules& rules,
                       const fast_rules& fast);

} // namespace orderly::planning
