// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The part of a scan that is about one instance: what its moves change on the
// nodes that it leaves, and the bounds for all its targets. Used by scan.cpp.

#pragma once

#include "actors/planning/search/scan.hpp"
#include "actors/planning/search/scan_lanes.hpp"

namespace orderly::planning {

class scan_instance {
public:
  scan_instance(scan& whole, const placement& p, score_board& board,
                const search_rules& rules, int instance);

  /// Lowers `bound` and sets `best` if a move of this instance is better.
  void improve(double& bound, std::optional<candidate>& best);

  /// About what the moves of a kind score, by target; good until the next
  /// instance is asked about.
  struct estimate {
    move_kind kind = move_kind::failover;
    std::vector<double>* line = nullptr;
  };

  /// A line for each kind that is allowed and has targets: not bounds but
  /// quick estimates, by tangents instead of roots. Nothing if the moves of
  /// such an instance have none and must be tried.
  std::optional<std::vector<estimate>> estimates();

  /// Can bounds and estimates be had at all?
  bool has_bounds() const;

private:
  /// Sums as they are after what a kind of move does to the known nodes.
  struct fixed {
    std::array<double, spread_terms> sum{};
    std::array<double, spread_terms> squares{};
    double rest = 0;
  };

  void improve_slowly(double& bound, std::optional<candidate>& best);
  void consider(const move& m, double& bound, std::optional<candidate>& best);
  void prepare();
  bool prepare_kind(move_kind kind);
  bool bound_failover_to();
  bool bound_replace_secondary();
  bool bound_replace_and_failover();
  bool bound_replace_primary();
  bool bound_failover_and_replace();

  fixed start_of() const;
  void change(fixed& f, int node, const node_state& after, bool judged) const;
  double cost_of(int node, const node_state& s, bool judged) const;
  double lowest(const outcome& x) const;

  lanes::takers takers() const;
  lanes::demand demand(bool strict) const;
  lanes::keeper keeper(int node, const node_state& bare, double held,
                       bool strict) const;
  void spread_target(std::size_t kind, const fixed& f, bool primary);
  void spread_reserve(std::size_t kind, const fixed& f, const double* value);
  void prepare_parts();
  double constant(std::size_t term, double weight, const fixed& f) const;
  void add_extras(move_kind kind, bool strict);
  double extra(move_kind kind, int target, bool strict) const;

  bool offline(int node) const {
    return !p_.facts[static_cast<std::size_t>(node)].online;
  }

  scan& w_;
  const placement& p_;
  score_board& board_;
  const search_rules& rules_;
  int i_;
  const instance_facts& x_;
  place old_;
  bool quick_ = false; ///< estimates instead of bounds
  bool plain_;         ///< no tags, locations nor pools: no extras
  node_state pri_out_;
  node_state sec_out_;
  node_state sec_host_; ///< the secondary, as a primary
  refusal hosting_ = refusal::none;
};

} // namespace orderly::planning
