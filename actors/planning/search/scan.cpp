// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/scan.hpp"

#include "actors/planning/search/scan_instance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orderly::planning {

namespace {

/// The later twins of terms, and the loads that may be the same as another.
struct twin {
  std::size_t term;
  std::size_t of;
};

constexpr std::array<twin, 6> twins{{{memory_load, cpu_load},
                                     {net_load, cpu_load},
                                     {later_free_memory, free_memory},
                                     {later_free_disk, free_disk},
                                     {later_vcpu_ratio, vcpu_ratio},
                                     {later_spindle_ratio, spindle_ratio}}};

} // namespace

scan::scan(const placement& p, use u) : estimates_(u == use::estimates) {
  for (const auto& x : p.instances) {
    same_load_ = same_load_ && x.use[load_cpu] == x.use[load_memory]
                 && x.use[load_cpu] == x.use[load_net];
    same_later_ = same_later_ && !x.forthcoming && x.memory == x.size;
  }
  auto n = (at(p.node_count()) + 7) / 8 * 8;
  nodes_.size = n;
  for (auto* c :
       {&nodes_.per_memory, &nodes_.per_disk, &nodes_.per_cpu,
        &nodes_.per_spindle, &nodes_.one, &nodes_.unallocated, &nodes_.reserved,
        &nodes_.is_short, &nodes_.held, &nodes_.disk_left, &nodes_.disk_soft,
        &nodes_.spindles_left, &nodes_.cpus_left, &flat_})
    c->assign(n, 0);
  nodes_.closed.assign(n, std::numeric_limits<double>::infinity());
  for (auto& c : nodes_.value)
    c.assign(n, 0);
  if (estimates_) {
    for (auto* columns : {&nodes_.twice, &nodes_.square})
      for (auto& c : *columns)
        c.assign(n, 0);
    for (auto& c : part_)
      c.assign(n, 0);
    shares_.assign(2 * p.instances.size(), {});
    tangents_.assign(2 * p.states.size(), {});
  }
  for (auto& c : bound_)
    c.assign(n, 0);
  for (auto& c : taken_)
    c.assign(n, 0);
  for (std::size_t t = 0; t < p.facts.size(); ++t) {
    const auto& f = p.facts[t];
    nodes_.per_memory[t] = 1 / f.total_memory;
    nodes_.per_disk[t] = f.total_disk == 0 ? 0 : 1 / f.total_disk;
    nodes_.per_cpu[t] = 1 / f.total_cpus / f.cpu_speed;
    nodes_.per_spindle[t] = 1 / f.high_spindles;
    nodes_.one[t] = 1;
    if (f.online && !f.closed)
      nodes_.closed[t] = 0;
  }
}

void scan::merge_terms(const score_board& board, int nodes) {
  std::array<double, spread_terms> weights = spread_weights;
  for (const auto& x : twins) {
    auto possible = x.of == cpu_load ? same_load_ : same_later_;
    for (int n = 0; possible && n < nodes; ++n)
      possible = board.row(n)[x.term] == board.row(n)[x.of];
    if (!possible)
      continue;
    weights[x.of] += weights[x.term];
    weights[x.term] = 0;
  }
  terms_.clear();
  for (std::size_t k = 0; k < spread_terms; ++k)
    if (weights[k] > 0)
      terms_.push_back({k, weights[k]});
}

/// What a unit of the term's quantity changes; none for the reserve.
const node_columns::column* scan::per_of(std::size_t term) const {
  switch (term) {
  case free_memory:
  case later_free_memory:
    return &nodes_.per_memory;
  case free_disk:
  case later_free_disk:
    return &nodes_.per_disk;
  case vcpu_ratio:
  case later_vcpu_ratio:
    return &nodes_.per_cpu;
  case spindle_ratio:
  case later_spindle_ratio:
    return &nodes_.per_spindle;
  case reserved_memory:
    return nullptr;
  default:
    return &nodes_.one;
  }
}

void scan::look(const placement& p, const score_board& board) {
  if (!sums_)
    sums_.emplace(p, board);
  else
    sums_->recentre(p, board);
  auto before = terms_;
  merge_terms(board, p.node_count());
  if (estimates_ && terms_ != before)
    prepare_guesses(p);
  for (int n = 0; n < p.node_count(); ++n)
    look_at(p, board, n);
  look_at_rest(board);
}

void scan::look_at(const placement& p, const score_board& board, int node) {
  auto t = at(node);
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    auto term = terms_[k].term;
    auto value = board.row(node)[term] - sums_->centre(term);
    nodes_.value[term][t] = value;
    if (!estimates_)
      continue;
    if (const auto* per = per_of(term)) {
      nodes_.twice[term][t] = 2 * value * (*per)[t];
      nodes_.square[term][t] = (*per)[t] * (*per)[t];
    }
    if (p.facts[t].online) {
      tangents_[2 * t][k] = nodes_.twice[term][t];
      tangents_[2 * t + 1][k] = nodes_.square[term][t];
    }
  }
  const auto& f = p.facts[t];
  const auto& s = p.states[t];
  nodes_.unallocated[t] = static_cast<double>(p.unallocated(node, s));
  nodes_.reserved[t] = static_cast<double>(s.reserved);
  nodes_.is_short[t] = s.short_of_memory ? 1 : 0;
  nodes_.held[t] = static_cast<double>(s.primaries + s.secondaries);
  auto disk = static_cast<double>(s.free_disk);
  // Sizes are whole numbers: half of one makes `less` of `not more`.
  nodes_.disk_left[t] = disk - 0.5;
  nodes_.disk_soft[t]
    = std::min(disk - 0.5, disk - static_cast<double>(f.low_disk));
  nodes_.spindles_left[t]
    = f.high_spindles - static_cast<double>(s.spindles) + 1e-6;
  nodes_.cpus_left[t]
    = f.vcpu_ratio * f.total_cpus - static_cast<double>(s.cpus) + 1e-6;
}

void scan::look_at_rest(const score_board& board) {
  for (const auto& x : terms_) {
    // Twice what a node can have at most, squared, in units of rounding.
    auto most = 2 * sums_->greatest(x.term) + 1;
    slack_[x.term] = 1e-14 * most * most;
    slope_[x.term] = slope_of(x);
  }
  auto reserve = sums_->sum(reserved_memory)
                 + sums_->nodes() * sums_->centre(reserved_memory);
  rest_ = board.counts().weighted() + reserve_weight * reserve;
  slack_total_ = 1e-11 + 1e-13 * std::abs(rest_);
}

void scan::touch(const placement& p, const score_board& board,
                 const outcome& x) {
  for (int k = 0; k < x.count; ++k)
    look_at(p, board, x.nodes[at(k)]);
  look_at_rest(board);
}

double scan::score_after(const placement& p, const score_board& board,
                         const move& m, const outcome& x) const {
  std::array<double, spread_terms> sum{};
  std::array<double, spread_terms> squares{};
  for (int k = 0; k < x.count; ++k) {
    auto node = x.nodes[at(k)];
    if (!p.facts[at(node)].online)
      continue;
    auto row = row_of(p.facts[at(node)], x.states[at(k)]);
    const auto& before = board.row(node);
    for (std::size_t t = 0; t < spread_terms; ++t) {
      auto d = row[t] - before[t];
      sum[t] += d;
      squares[t] += d * (2 * (before[t] - sums_->centre(t)) + d);
    }
  }
  auto inverse = 1 / sums_->nodes();
  auto reserve = sums_->sum(reserved_memory) + sum[reserved_memory]
                 + sums_->nodes() * sums_->centre(reserved_memory);
  auto result = board.counts_after(p, m, x).weighted();
  result += reserve_weight * reserve;
  for (const auto& t : terms_) {
    auto mean = (sums_->sum(t.term) + sum[t.term]) * inverse;
    auto square = (sums_->squares(t.term) + squares[t.term]) * inverse;
    result += t.weight * std::sqrt(std::max(0.0, square - mean * mean));
  }
  return result;
}

std::optional<candidate> scan::best(const placement& p, score_board& board,
                                    const search_rules& rules) {
  look(p, board);
  std::optional<candidate> result;
  auto bound = board.score();
  for (int i = 0; i < p.instance_count(); ++i) {
    if (!is_candidate(p, i, rules))
      continue;
    scan_instance one{*this, p, board, rules, i};
    one.improve(bound, result);
  }
  return result;
}

} // namespace orderly::planning
