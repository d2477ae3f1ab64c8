// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/scan_instance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orderly::planning {

namespace {

double root(double x) {
  return std::sqrt(x > 0 ? x : 0.0);
}

} // namespace

scan_instance::scan_instance(scan& whole, const placement& p,
                             score_board& board, const search_rules& rules,
                             int instance)
  : w_(whole),
    p_(p),
    board_(board),
    rules_(rules),
    i_(instance),
    x_(p.instances[at(instance)]),
    old_(p.places[at(instance)]),
    plain_(!p.tags.any_location && !p.tags.any_migration && !p.storage.any()
           && p.tags.exclusion[at(instance)].empty()) {
}

void scan_instance::consider(const move& m, double& bound,
                             std::optional<candidate>& best) {
  auto x = try_move(p_, m, rules_.ignore_soft);
  if (x.why != refusal::none)
    return;
  auto score = board_.score_after(p_, m, x);
  if (!(score < bound))
    return;
  bound = score;
  best = candidate{m, score};
}

bool scan_instance::has_bounds() const {
  auto mirrored_well = x_.mirrored == (old_.secondary >= 0);
  return !x_.forthcoming && !p_.any_exclusive && mirrored_well;
}

std::optional<std::vector<scan_instance::estimate>> scan_instance::estimates() {
  if (!has_bounds())
    return std::nullopt;
  std::vector<estimate> result;
  quick_ = true;
  prepare();
  prepare_parts();
  for (auto k : allowed_kinds(p_, i_, rules_)) {
    if (k == move_kind::failover || !prepare_kind(k))
      continue;
    auto& values = w_.bound_[line(k)];
    values[at(old_.primary)] = std::numeric_limits<double>::infinity();
    if (old_.secondary >= 0)
      values[at(old_.secondary)] = std::numeric_limits<double>::infinity();
    result.push_back({k, &values});
  }
  return result;
}

void scan_instance::improve(double& bound, std::optional<candidate>& best) {
  if (!has_bounds()) {
    improve_slowly(bound, best);
    return;
  }
  auto kinds = allowed_kinds(p_, i_, rules_);
  prepare();
  std::array<const std::vector<double>*, 6> lines{};
  std::array<move_kind, 6> used{};
  std::size_t count = 0;
  for (auto k : kinds) {
    if (k == move_kind::failover) {
      move m{i_, k, -1};
      auto x = try_move(p_, m, rules_.ignore_soft);
      if (x.why == refusal::none && (!plain_ || lowest(x) < bound))
        consider(m, bound, best);
      continue;
    }
    if (!prepare_kind(k))
      continue;
    const auto& values = w_.bound_[line(k)];
    if (!lanes::any_below(values.data(), bound, w_.nodes_.size))
      continue;
    lines[count] = &values;
    used[count++] = k;
  }
  if (count == 0)
    return;
  for (int t = 0; t < p_.node_count(); ++t) {
    if (t == old_.primary || t == old_.secondary)
      continue;
    for (std::size_t k = 0; k < count; ++k)
      if ((*lines[k])[at(t)] < bound)
        consider({i_, used[k], t}, bound, best);
  }
}

void scan_instance::improve_slowly(double& bound,
                                   std::optional<candidate>& best) {
  auto kinds = allowed_kinds(p_, i_, rules_);
  for (auto k : kinds)
    if (k == move_kind::failover)
      consider({i_, k, -1}, bound, best);
  for (int t = 0; t < p_.node_count(); ++t) {
    if (offline(t) || t == old_.primary || t == old_.secondary)
      continue;
    for (auto k : kinds)
      if (k != move_kind::failover)
        consider({i_, k, t}, bound, best);
  }
}

void scan_instance::prepare() {
  pri_out_ = without_primary(p_, old_.primary, p_.states[at(old_.primary)], i_);
  if (old_.secondary < 0)
    return;
  sec_out_ = without_secondary(p_, old_.secondary,
                               p_.states[at(old_.secondary)], i_, old_.primary);
  sec_host_ = sec_out_;
  hosting_
    = add_primary(p_, old_.secondary, sec_host_, i_, {old_.secondary, -1},
                  offline(old_.primary) || rules_.ignore_soft);
}

bool scan_instance::prepare_kind(move_kind kind) {
  switch (kind) {
  case move_kind::failover:
    return false;
  case move_kind::failover_to:
    return bound_failover_to();
  case move_kind::replace_secondary:
    return bound_replace_secondary();
  case move_kind::replace_and_failover:
    return bound_replace_and_failover();
  case move_kind::replace_primary:
    return bound_replace_primary();
  case move_kind::failover_and_replace:
    return bound_failover_and_replace();
  }
  return false;
}

scan_instance::fixed scan_instance::start_of() const {
  fixed f;
  for (const auto& x : w_.terms_) {
    f.sum[x.term] = w_.sums_->sum(x.term);
    f.squares[x.term] = w_.sums_->squares(x.term);
  }
  f.rest = w_.rest_ - w_.slack_total_;
  return f;
}

/// Without what depends on places: extra() adds that.
double scan_instance::cost_of(int node, const node_state& s,
                              bool judged) const {
  auto counts = counts_of(p_.facts[at(node)], s);
  counts.misplaced = 0;
  if (!judged)
    counts.short_of_memory = 0;
  return counts.weighted();
}

void scan_instance::change(fixed& f, int node, const node_state& after,
                           bool judged) const {
  f.rest
    += cost_of(node, after, judged) - cost_of(node, p_.states[at(node)], true);
  if (offline(node))
    return;
  auto row = row_of(p_.facts[at(node)], after);
  const auto& before = board_.row(node);
  for (const auto& x : w_.terms_) {
    auto d = row[x.term] - before[x.term];
    f.sum[x.term] += d;
    f.squares[x.term] += d * (2 * w_.nodes_.value[x.term][at(node)] + d);
  }
  f.rest += reserve_weight * (row[reserved_memory] - before[reserved_memory]);
}

/// What no plain failover scores below; only without extras.
double scan_instance::lowest(const outcome& x) const {
  auto f = start_of();
  for (int k = 0; k < x.count; ++k)
    change(f, x.nodes[at(k)], x.states[at(k)], true);
  auto result = f.rest;
  for (const auto& t : w_.terms_)
    result += constant(t.term, t.weight, f);
  return result;
}

double scan_instance::constant(std::size_t term, double weight,
                               const fixed& f) const {
  auto inverse = 1 / w_.sums_->nodes();
  auto mean = f.sum[term] * inverse;
  return weight
         * root(f.squares[term] * inverse - w_.slack_[term] - mean * mean);
}

void scan_instance::prepare_parts() {
  for (auto primary : {false, true}) {
    std::array<lanes::tangent, spread_terms> terms{};
    std::size_t count = 0;
    for (const auto& t : w_.terms_) {
      auto x = quantity_of(x_, t.term, primary);
      if (t.term == reserved_memory || x == 0)
        continue;
      auto slope = w_.slope_of(t);
      terms[count++]
        = {w_.nodes_.twice[t.term].data(), w_.nodes_.square[t.term].data(),
           slope * x, slope * x * x};
    }
    auto& part = w_.part_[primary ? 1 : 0];
    lanes::add_tangents(part.data(), terms.data(), count, w_.nodes_.size);
  }
}

void scan_instance::spread_target(std::size_t kind, const fixed& f,
                                  bool primary) {
  auto to = w_.bound_[kind].data();
  auto inverse = 1 / w_.sums_->nodes();
  double same = 0;
  for (const auto& t : w_.terms_) {
    if (t.term == reserved_memory)
      continue; // spread_reserve
    auto change = quick_ ? 0.0 : quantity_of(x_, t.term, primary);
    if (change == 0) {
      same += constant(t.term, t.weight, f);
      continue;
    }
    lanes::add_spread(to, w_.nodes_.value[t.term].data(),
                      w_.per_of(t.term)->data(), w_.nodes_.size,
                      {change, f.sum[t.term] * inverse,
                       f.squares[t.term] * inverse - w_.slack_[t.term], inverse,
                       t.weight});
  }
  if (quick_)
    lanes::add_part(to, w_.part_[primary ? 1 : 0].data(), same, w_.nodes_.size);
  else
    lanes::raise(to, same, w_.nodes_.size);
}

void scan_instance::spread_reserve(std::size_t kind, const fixed& f,
                                   const double* value) {
  auto to = w_.bound_[kind].data();
  auto n = w_.nodes_.size;
  if (!value) {
    lanes::raise(
      to, constant(reserved_memory, spread_weights[reserved_memory], f), n);
    return;
  }
  if (quick_) {
    merged_term term{reserved_memory, spread_weights[reserved_memory]};
    lanes::add_reserve(to, value, w_.taken_[kind].data(), w_.slope_of(term),
                       reserve_weight, n);
    lanes::raise(to, constant(reserved_memory, term.weight, f), n);
    return;
  }
  auto inverse = 1 / w_.sums_->nodes();
  lanes::add(to, w_.taken_[kind].data(), reserve_weight, n);
  lanes::add_spread(
    to, value, w_.taken_[kind].data(), n,
    {1, f.sum[reserved_memory] * inverse,
     f.squares[reserved_memory] * inverse - w_.slack_[reserved_memory], inverse,
     spread_weights[reserved_memory]});
}

} // namespace orderly::planning
