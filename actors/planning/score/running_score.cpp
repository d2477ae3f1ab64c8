// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/score/score.hpp"

#include <algorithm>
#include <cmath>

namespace orderly::planning {

running_score::running_score(const placement& p, const score_board& board) {
  recentre(p, board);
}

void running_score::recentre(const placement& p, const score_board& board) {
  nodes_ = 0;
  std::array<double, spread_terms> total{};
  greatest_ = {};
  for (int n = 0; n < p.node_count(); ++n) {
    if (!p.facts[static_cast<std::size_t>(n)].online)
      continue;
    nodes_ += 1;
    for (std::size_t k = 0; k < spread_terms; ++k) {
      total[k] += board.row(n)[k];
      greatest_[k] = std::max(greatest_[k], std::abs(board.row(n)[k]));
    }
  }
  for (std::size_t k = 0; k < spread_terms; ++k)
    centre_[k] = nodes_ > 0 ? total[k] / nodes_ : 0;
  sum_ = squares_ = {};
  for (int n = 0; n < p.node_count(); ++n) {
    if (!p.facts[static_cast<std::size_t>(n)].online)
      continue;
    for (std::size_t k = 0; k < spread_terms; ++k) {
      auto y = board.row(n)[k] - centre_[k];
      sum_[k] += y;
      squares_[k] += y * y;
    }
  }
  counts_ = board.counts();
}

void running_score::replace(const score_row& before, const score_row& after) {
  for (std::size_t k = 0; k < spread_terms; ++k) {
    auto d = after[k] - before[k];
    sum_[k] += d;
    squares_[k] += d * (2 * (before[k] - centre_[k]) + d);
    greatest_[k] = std::max(greatest_[k], std::abs(after[k]));
  }
}

double running_score::value() const {
  double result = counts_.weighted();
  for (std::size_t k = 0; k < spread_terms; ++k) {
    auto mean = sum_[k] / nodes_;
    auto variance = squares_[k] / nodes_ - mean * mean;
    result += spread_weights[k] * std::sqrt(std::max(0.0, variance));
  }
  auto reserve = sum_[reserved_memory] + nodes_ * centre_[reserved_memory];
  return result + reserve_weight * reserve;
}

} // namespace orderly::planning
