// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Finds the best move of a step without trying them all. For all targets of an
// instance at once it computes, from sums around a centre, what no move can
// score below; only moves that may be the best are then tried for good, in the
// order and with the arithmetic of the reference. So its answer is try_all's,
// to the bit, some hundred times sooner.

#pragma once

#include "actors/planning/exact.hpp"

namespace orderly::planning {

/// Numbers of all nodes, one array a quantity, padded to full vectors.
struct node_columns {
  using column = std::vector<double>;

  std::size_t size = 0;                   ///< with the padding
  std::array<column, spread_terms> value; ///< around the centre
  column per_memory;                      ///< what a MiB changes, and so on
  column per_disk;
  column per_cpu;
  column per_spindle;
  column one;
  column unallocated;
  column reserved;
  column is_short;  ///< 0 or 1
  column held;      ///< instances, primary and secondary
  column disk_left; ///< free_disk, and what of it is no hard need
  column disk_soft;
  column spindles_left;
  column cpus_left;
  column closed; ///< 0, or infinite: no target
};

/// A spread that is computed, for all terms that are the same.
struct merged_term {
  std::size_t term = 0;
  double weight = 0;
};

class scan {
public:
  explicit scan(const placement& p);

  /// See best_move.
  std::optional<candidate> best(const placement& p, score_board& board,
                                const search_rules& rules);

private:
  friend class scan_instance;

  void look(const placement& p, const score_board& board);
  void merge_terms(const score_board& board, int nodes);

  bool same_load_ = true;  ///< all instances: cpu = memory = net
  bool same_later_ = true; ///< no instance is down or forthcoming
  node_columns nodes_;
  std::vector<merged_term> terms_;
  std::array<double, spread_terms> slack_{};
  double slack_total_ = 0;
  std::optional<running_score> sums_;
  double rest_ = 0; ///< what is no spread, now
  // Scratch of one instance, one line a kind of move.
  std::array<std::vector<double>, 6> bound_;
  std::array<std::vector<double>, 6> taken_; ///< of the reserve
  std::vector<double> flat_;
};

} // namespace orderly::planning
