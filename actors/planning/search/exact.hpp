// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The exact search: hbal's steepest descent, move for move. Each step looks at
// every candidate and takes the best one; the first of equals wins.

#pragma once

#include "actors/planning/score/score.hpp"

#include <functional>
#include <limits>

namespace orderly::planning {

/// What a move that cannot be made costs.
inline constexpr double never = std::numeric_limits<double>::infinity();

/// Which moves are allowed, and when to stop.
struct search_rules {
  bool evacuate = false; ///< only instances that touch an offline node
  bool disk_moves = true;
  bool instance_moves = true;
  bool restricted_migration = false;
  bool ignore_soft = false;
  double min_gain = 0.01;
  double min_gain_limit = 0.1; ///< below it a step must gain min_gain
  double min_score = 1e-9;     ///< how far above lowest_score is good enough
  int max_length = -1;         ///< no bound if negative
};

struct step {
  move what;
  place from;
  place to;
  double score = 0; ///< after it
};

struct plan {
  double initial = 0;
  double final = 0;
  double lowest = 0;
  std::vector<step> steps;
};

/// The kinds of move with a target that the rules allow this instance, in the
/// order in which they are tried; `failover` first if that is allowed.
std::vector<move_kind> allowed_kinds(const placement& p, int instance,
                                     const search_rules& rules);

/// May any move of it be tried?
bool is_candidate(const placement& p, int instance, const search_rules& rules);

struct candidate {
  move what;
  double score = 0;
};

/// The best move that scores below `score`; none if none does. `board` shows
/// `p`, and is left as it was.
using best_move = std::function<std::optional<candidate>(
  const placement& p, score_board& board, const search_rules& rules)>;

/// Tries everything, one by one: what the faster ways are compared with.
std::optional<candidate> try_all(const placement& p, score_board& board,
                                 const search_rules& rules);

/// Moves on `p` until no move is worth it. `on_step` hears of each.
plan balance(placement& p, const search_rules& rules, const best_move& best,
             const std::function<void(const step&)>& on_step = {});

/// The same by the fast scan of scan.hpp.
plan balance(placement& p, const search_rules& rules,
             const std::function<void(const step&)>& on_step = {});

} // namespace orderly::planning
