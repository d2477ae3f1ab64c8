// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Finds the best move of a step without trying them all. For all targets of an
// instance at once it computes, from sums around a centre, what no move can
// score below; only moves that may be the best are then tried for good, in the
// order and with the arithmetic of the reference. So its answer is try_all's,
// to the bit, some hundred times sooner.

#pragma once

#include "actors/planning/search/exact.hpp"

namespace orderly::planning {

/// The line of a kind of move in tables that have one for each.
constexpr std::size_t line(move_kind x) {
  return static_cast<std::size_t>(x);
}

/// Numbers of all nodes, one array a quantity, padded to full vectors.
struct node_columns {
  using column = std::vector<double>;

  std::size_t size = 0;                    ///< with the padding
  std::array<column, spread_terms> value;  ///< around the centre
  std::array<column, spread_terms> twice;  ///< value, times 2 per
  std::array<column, spread_terms> square; ///< per, squared
  column per_memory;                       ///< what a MiB changes, and so on
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

  bool operator==(const merged_term&) const = default;
};

/// What an instance takes of a term's quantity on its primary, or on its
/// secondary; nothing of the reserve.
double quantity_of(const instance_facts& x, std::size_t term, bool primary);

/// An instance that goes from one place to another.
struct transit {
  int instance = -1;
  place from;
  place to;
};

class scan {
public:
  enum class use { bounds, estimates };

  /// Estimates and guesses need more numbers than bounds.
  explicit scan(const placement& p, use u = use::bounds);

  /// See best_move.
  std::optional<candidate> best(const placement& p, score_board& board,
                                const search_rules& rules);

  /// Takes all numbers anew.
  void look(const placement& p, const score_board& board);

  /// The sums of a placement in which these rows and counts were replaced.
  void replace(const score_row& before, const score_row& after) {
    sums_->replace(before, after);
  }

  void replace(const score_counts& after) { sums_->replace(after); }

  const running_score& sums() const { return *sums_; }

  void restore(const running_score& sums) { sums_ = sums; }

  /// What the sums say about the score if the move were made; its last bits
  /// differ from the reference's.
  double score_after(const placement& p, const score_board& board,
                     const move& m, const outcome& x) const;

  /// About what two transits together change of the score, by tangents and
  /// without what nodes reserve or are short of. Some ten times sooner than
  /// trying them.
  double guess(const transit& a, const transit& b) const;

  /// These nodes changed since `look`, and the sums with them.
  void touch(const placement& p, const score_board& board, const outcome& x);

private:
  friend class scan_instance;

  void prepare_guesses(const placement& p);
  double slope_of(const merged_term& t) const;
  const node_columns::column* per_of(std::size_t term) const;
  void look_at(const placement& p, const score_board& board, int node);
  void look_at_rest(const score_board& board);
  void merge_terms(const score_board& board, int nodes);

  bool estimates_;
  bool same_load_ = true;  ///< all instances: cpu = memory = net
  bool same_later_ = true; ///< no instance is down or forthcoming
  node_columns nodes_;
  std::vector<merged_term> terms_;
  std::array<double, spread_terms> slope_{}; ///< of those, now
  std::array<double, spread_terms> slack_{};
  double slack_total_ = 0;
  std::optional<running_score> sums_;
  double rest_ = 0; ///< what is no spread, now
  // For guesses, by the place in terms_: of each instance as a secondary and
  // as a primary; of each node what `twice` and `square` hold.
  std::vector<score_row> shares_;
  std::vector<score_row> tangents_;
  // Scratch of one instance, one line a kind of move.
  std::array<std::vector<double>, 6> bound_;
  std::array<std::vector<double>, 6> taken_; ///< of the reserve
  std::vector<double> flat_;
  /// By tangents: what any target adds as a secondary, as a primary.
  std::array<std::vector<double>, 2> part_;
};

} // namespace orderly::planning
