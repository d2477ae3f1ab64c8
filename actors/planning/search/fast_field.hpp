// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A placement that the fast search tries things on: it knows the score in
// constant time, what each move is worth when costs are counted, which
// instances a node holds, and can take the last moves back.

#pragma once

#include "actors/planning/score/shared_n1.hpp"
#include "actors/planning/search/fast.hpp"
#include "actors/planning/search/net_form.hpp"
#include "actors/planning/search/scan_instance.hpp"

namespace orderly::planning {

/// A move with what it is worth: what it takes off the score, less its costs.
struct offer {
  move what;
  double worth = 0;
};

/// What an instance could do.
struct choice {
  std::optional<offer> best;   ///< however bad it is
  std::vector<move> promising; ///< others too, about the best ones first
};

class fast_field {
public:
  fast_field(placement& p, const search_rules& rules, const fast_rules& fast);

  const placement& here() const { return p_; }

  const search_rules& rules() const { return rules_; }

  double score() const { return score_; }

  /// The costs of all net moves so far, in points of the score.
  double burden() const { return burden_; }

  int net_moves() const { return net_moves_; }

  const std::vector<place>& origin() const { return origin_; }

  /// What the move is worth now; none if it is refused. Leaves aside what it
  /// does to the cover of shared_n1: see `in_danger`.
  std::optional<double> worth(const move& m);

  /// May so many moves change the cover of a node? Then what is promised must
  /// be made, checked, before it is believed.
  bool in_danger(std::size_t moves) const {
    return n1_ && !n1_->has_plenty(moves);
  }

  /// How much more than `worth` a move may turn out to be worth.
  double hope() const { return n1_term(); }

  /// What the moves are worth together, one made after the other.
  std::optional<double> checked_worth(const move* moves, std::size_t count);

  /// The best move of the instance, and at least `more` others if it has so
  /// many.
  choice best_of(int instance, std::size_t more);

  /// About what a pair of moves gains, before costs and what memory is
  /// reserved: see scan::guess.
  double guess(const transit& a, const transit& b) {
    ++guesses_;
    return -scan_.guess(a, b);
  }

  /// How far off the guess may be and the pair still be tried.
  double unguessed() const { return unguessed_; }

  enum class cover { checked, ignored };

  /// Makes a move; false if it is refused.
  bool make(const move& m, cover c = cover::checked);

  /// Takes back the last move since `settle`.
  void take_back();

  /// The moves since the last `settle` stay.
  void settle();

  /// Adds up anew what rounding has drifted.
  void refresh();

  /// Instances with their memory or a mirror on the node.
  const std::vector<int>& held(int node) const {
    return held_[static_cast<std::size_t>(node)];
  }

  /// All moves that stayed, in their order, without scores.
  const std::vector<step>& steps() const { return steps_; }

  /// The work done, in moves tried: the same on every machine.
  std::int64_t effort() const {
    return tries_ + guesses_ / guesses_a_try + scans_ / nodes_a_try;
  }

private:
  static constexpr std::int64_t guesses_a_try = 16;
  static constexpr std::int64_t nodes_a_try = 32;

  struct undo {
    move what;
    place from;
    outcome after;
    std::array<node_state, 3> states;
    running_score sums;
    score_counts counts;
    double score;
    double burden;
    int net_moves;
    bool followed; ///< by n1_
  };

  /// What going to `to` adds to the plan: moves, and points of the score.
  net_cost added(int instance, place to) const;
  bool is_too_long(const net_cost& x) const;
  double n1_term() const;
  std::vector<move> promising(int instance, std::size_t count);
  std::vector<move> all_moves(int instance) const;
  bool has_estimates(int instance);
  void consider(const move& m, std::optional<offer>& best);
  void add_costs(int instance, std::vector<scan_instance::estimate>& lines);
  void hold(int instance, place where);
  void drop(int instance, place where);

  placement& p_;
  const search_rules& rules_;
  double rate_; ///< points of the score for a unit of cost
  double unguessed_;
  score_board board_;
  scan scan_;
  std::optional<shared_n1> n1_;
  bool n1_forbids_ = false;
  double score_ = 0;
  double burden_ = 0;
  int net_moves_ = 0;
  std::vector<place> origin_;
  std::vector<std::vector<int>> held_;
  std::vector<undo> undo_;
  std::vector<step> steps_;
  std::int64_t tries_ = 0;
  std::int64_t guesses_ = 0;
  std::int64_t scans_ = 0; ///< nodes in all scans
};

} // namespace orderly::planning
