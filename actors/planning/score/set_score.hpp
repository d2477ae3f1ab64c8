// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The score of some nodes of a placement as if they were alone: of a group
// when an instance is evacuated within it, of all nodes when one is allocated.
// It answers what the score would be if a few of them changed, in two passes
// like the reference, or in constant time with the reference's own rounding.

#pragma once

#include "actors/planning/score/score.hpp"

namespace orderly::planning {

class set_score {
public:
  /// `nodes` ascending. `p` must outlive it; see look().
  set_score(const placement& p, std::vector<int> nodes);

  const std::vector<int>& nodes() const { return nodes_; }

  /// The placement changed: takes all values anew.
  void look();

  /// The placement changed in these nodes only.
  void look(const outcome& x);

  /// As it is, in two passes.
  double value() const;

  /// If the nodes of `x` were so and the instance there.
  double after(int instance, const outcome& x);

  /// The same, between two bounds, in constant time.
  std::pair<double, double> bounds_after(int instance, const outcome& x) const;

  /// The same as the reference computes it for an instance on a new pair of
  /// nodes: variances are carried over, one node after the other.
  double pair_after(int instance, const outcome& x) const;

  /// Of all spreads: the plain sums and the variances.
  struct moments {
    score_row sum{};
    score_row variance{};
    double reserve = 0;
  };

  /// The primary's half of pair_after(), for many secondaries.
  struct half {
    moments values;
    score_counts counts;
  };

  half after_primary(int instance, const outcome& x) const;

  /// Of an instance without locations.
  double after_secondary(const half& h, int node, const node_state& s) const;

private:
  int local(int node) const { return local_[static_cast<std::size_t>(node)]; }

  static void replace(double n, moments& m, const score_row& before,
                      const score_row& after);
  static void take_roots(score_row& r);
  static double score_of(score_row variance, const score_counts& counts,
                         double reserve);
  bool is_online(int node) const;
  void count();
  moments measure() const;
  moments moved(const outcome& x) const;
  score_counts counts_after(int instance, const outcome& x) const;
  std::int64_t locations_after(int instance, const outcome& x) const;

  const placement& p_;
  std::vector<int> nodes_;
  std::vector<int> online_; ///< places in rows_
  std::vector<int> local_;  ///< of each node of p_: its place in rows_, or -1
  std::vector<score_row> rows_;
  moments now_;
  score_row greatest_{};
  score_counts counts_;
  std::vector<score_counts> node_counts_; ///< of which counts_ is the sum
  std::map<std::pair<int, int>, int> locations_;
};

} // namespace orderly::planning
