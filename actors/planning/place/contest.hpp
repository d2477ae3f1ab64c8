// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which of many outcomes scores best: bounds that cost little throw most out,
// the rest are scored for good. Evacuation and global N+1 choose by it.

#pragma once

#include "actors/planning/score/set_score.hpp"

#include <limits>

namespace orderly::planning {

class contest {
public:
  contest(set_score& scores, int instance)
    : scores_(scores), instance_(instance) {
    // nop
  }

  void enter(const outcome& x);

  /// The best; of equals the last one. None if nothing was entered.
  std::optional<outcome> winner();

  /// What the winner scores.
  double score() const { return score_; }

private:
  struct entry {
    double low = 0;
    outcome what;
  };

  set_score& scores_;
  int instance_;
  std::vector<entry> entries_;
  double ceiling_ = std::numeric_limits<double>::infinity();
  double score_ = 0;
};

} // namespace orderly::planning
