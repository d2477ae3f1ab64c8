// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How well balanced a placement is: the sum of 20 weighted terms, equal to
// hbal's to the last bit where it is computed in two passes (exact_score), and
// in constant time for a change of a few nodes (running_score).

#pragma once

#include "actors/planning/moves/moves.hpp"

namespace orderly::planning {

/// The terms whose spread over the nodes counts.
inline constexpr std::size_t spread_terms = 13;

enum spread_term : std::size_t {
  free_memory,
  free_disk,
  reserved_memory,
  vcpu_ratio,
  cpu_load,
  memory_load,
  disk_load,
  net_load,
  spindle_ratio,
  later_free_memory,
  later_free_disk,
  later_vcpu_ratio,
  later_spindle_ratio,
};

inline constexpr std::array<double, spread_terms> spread_weights{
  0.5, 0.5, 1, 0.5, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0.5};

/// Of the sum of what nodes reserve, which is no spread but a term too.
inline constexpr double reserve_weight = 0.25;

/// The values of one node; three lanes stay 0, so that rows are full vectors.
using score_row = std::array<double, 16>;

score_row row_of(const node_facts& f, const node_state& s);

/// The terms that are plain sums.
struct score_counts {
  std::int64_t short_of_memory = 0; ///< instances on nodes that are
  std::int64_t offline = 0;         ///< instances on offline nodes
  std::int64_t offline_primary = 0;
  std::int64_t conflicts = 0;
  std::int64_t misplaced = 0;
  std::int64_t shared_locations = 0;

  double weighted() const;
};

inline score_counts counts_of(const node_facts& f, const node_state& s) {
  score_counts r;
  auto all = s.primaries + s.secondaries;
  if (!f.online) {
    r.offline = all;
    r.offline_primary = s.primaries;
    return r;
  }
  r.short_of_memory = s.short_of_memory ? all : 0;
  r.conflicts = s.conflicts;
  r.misplaced = s.misplaced;
  return r;
}

inline score_counts& operator+=(score_counts& a, const score_counts& b) {
  a.short_of_memory += b.short_of_memory;
  a.offline += b.offline;
  a.offline_primary += b.offline_primary;
  a.conflicts += b.conflicts;
  a.misplaced += b.misplaced;
  a.shared_locations += b.shared_locations;
  return a;
}

inline score_counts& operator-=(score_counts& a, const score_counts& b) {
  a.short_of_memory -= b.short_of_memory;
  a.offline -= b.offline;
  a.offline_primary -= b.offline_primary;
  a.conflicts -= b.conflicts;
  a.misplaced -= b.misplaced;
  a.shared_locations -= b.shared_locations;
  return a;
}

/// One of the 20 terms, as the reference names it.
struct score_line {
  std::string_view name;
  double value = 0;
  double weight = 0;
};

/// The whole placement, term by term, in the order in which they are added.
std::array<score_line, 20> score_lines(const placement& p);

double exact_score(const placement& p);

/// The sum of the terms that have these values, added in their order.
double sum_of_terms(const score_row& deviation, const score_counts& c,
                    double reserve);

/// By how much `shared_locations` changes.
std::int64_t shared_location_change(const placement& p, int instance, int to);

/// The rows of a placement, kept for many questions.
class score_board {
public:
  explicit score_board(const placement& p);

  /// In two passes, as the reference does.
  double score() const;

  /// The same, if the move were made.
  double score_after(const placement& p, const move& m, const outcome& x);

  /// The move has been made.
  void update(const placement& p, const outcome& x);

  const score_row& row(int node) const {
    return rows_[static_cast<std::size_t>(node)];
  }

  const score_counts& counts() const { return counts_; }

  /// The counts, if the move were made.
  score_counts counts_after(const placement& p, const move& m,
                            const outcome& x) const;

  /// The same as `update` in constant time; `p` is as it was before the move.
  void foresee(const placement& p, const move& m, const outcome& x);

  /// The move has been taken back; the counts were these before it.
  void restore(const placement& p, const outcome& x,
               const score_counts& counts);

private:
  friend std::array<score_line, 20> score_lines(const placement& p);
  struct spreads;
  spreads measure() const;
  void count(const placement& p);

  std::vector<score_row> rows_;
  std::vector<int> online_; ///< ascending
  score_counts counts_;
};

/// Sums around a fixed centre: a change of one row costs the same for ten
/// nodes and for ten thousand.
class running_score {
public:
  running_score(const placement& p, const score_board& board);

  /// Takes the centres anew; rounding errors start from nothing again.
  void recentre(const placement& p, const score_board& board);

  /// An online node's row becomes another.
  void replace(const score_row& before, const score_row& after);

  /// The sums of the other terms become these.
  void replace(const score_counts& after) { counts_ = after; }

  double value() const;

  double nodes() const { return nodes_; }

  double centre(std::size_t term) const { return centre_[term]; }

  double sum(std::size_t term) const { return sum_[term]; }

  double squares(std::size_t term) const { return squares_[term]; }

  /// The greatest absolute value of the term: what errors are measured by.
  double greatest(std::size_t term) const { return greatest_[term]; }

private:
  double nodes_ = 0;
  std::array<double, spread_terms> centre_{};
  std::array<double, spread_terms> sum_{};
  std::array<double, spread_terms> squares_{};
  std::array<double, spread_terms> greatest_{};
  score_counts counts_;
};

} // namespace orderly::planning
