// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/score/set_score.hpp"

#include <algorithm>
#include <cmath>

// Wide registers, but no fused operations: the last bits count.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) \
  && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ORDERLY_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define ORDERLY_WIDE
#endif

namespace orderly::planning {

/// One value of many becomes another; in the order of operations of the
/// reference, whose last bits decide ties.
ORDERLY_WIDE void set_score::replace(double n, moments& m,
                                     const score_row& before,
                                     const score_row& after) {
  auto all = n * n;
  for (std::size_t k = 0; k < before.size(); ++k) {
    auto x = before[k];
    auto y = after[k];
    auto d = y - x;
    auto squares = y * y - x * x;
    auto change = (n * squares - 2 * m.sum[k] * d) - d * d;
    m.sum[k] += d;
    auto v = m.variance[k] + change / all;
    m.variance[k] = v > 0 ? v : 0;
  }
  m.reserve = m.reserve + after[reserved_memory] - before[reserved_memory];
}

ORDERLY_WIDE void set_score::take_roots(score_row& r) {
  for (std::size_t k = 0; k < r.size(); ++k)
    r[k] = std::sqrt(r[k]);
}

set_score::set_score(const placement& p, std::vector<int> nodes)
  : p_(p), nodes_(std::move(nodes)), local_(p.states.size(), -1) {
  for (auto n : nodes_) {
    auto place = static_cast<int>(rows_.size());
    local_[at(n)] = place;
    rows_.emplace_back();
    if (p.facts[at(n)].online)
      online_.push_back(place);
  }
  look();
}

bool set_score::is_online(int node) const {
  return p_.facts[at(node)].online;
}

void set_score::look() {
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    rows_[k] = row_of(p_.facts[at(nodes_[k])], p_.states[at(nodes_[k])]);
  greatest_ = {};
  for (auto i : online_)
    for (std::size_t k = 0; k < greatest_.size(); ++k)
      greatest_[k] = std::max(greatest_[k], std::abs(rows_[at(i)][k]));
  now_ = measure();
  count();
}

void set_score::look(const outcome& x) {
  for (int k = 0; k < x.count; ++k) {
    auto n = x.nodes[at(k)];
    if (local(n) >= 0)
      rows_[at(local(n))] = row_of(p_.facts[at(n)], p_.states[at(n)]);
  }
  for (auto i : online_)
    for (std::size_t k = 0; k < greatest_.size(); ++k)
      greatest_[k] = std::max(greatest_[k], std::abs(rows_[at(i)][k]));
  now_ = measure();
  count();
}

void set_score::count() {
  counts_ = {};
  locations_.clear();
  if (online_.empty())
    return;
  node_counts_.clear();
  for (auto n : nodes_) {
    node_counts_.push_back(counts_of(p_.facts[at(n)], p_.states[at(n)]));
    counts_ += node_counts_.back();
  }
  if (!p_.tags.any_location)
    return;
  for (int i = 0; i < p_.instance_count(); ++i) {
    auto n = p_.places[at(i)].primary;
    if (n < 0 || local(n) < 0 || !is_online(n)
        || p_.instances[at(i)].forthcoming)
      continue;
    for (auto tag : p_.tags.exclusion[at(i)])
      for (auto where : p_.tags.location[at(n)])
        ++locations_[{where, tag}];
  }
  for (const auto& [key, held] : locations_)
    counts_.shared_locations += held - 1;
}

set_score::moments set_score::measure() const {
  moments m;
  if (online_.empty())
    return m;
  auto n = static_cast<double>(online_.size());
  for (auto i : online_)
    for (std::size_t k = 0; k < m.sum.size(); ++k)
      m.sum[k] += rows_[at(i)][k];
  score_row mean{};
  for (std::size_t k = 0; k < mean.size(); ++k)
    mean[k] = m.sum[k] / n;
  for (auto i : online_)
    for (std::size_t k = 0; k < mean.size(); ++k) {
      auto d = rows_[at(i)][k] - mean[k];
      m.variance[k] += d * d;
    }
  for (auto& v : m.variance)
    v /= n;
  m.reserve = m.sum[reserved_memory];
  return m;
}

double set_score::score_of(score_row variance, const score_counts& counts,
                           double reserve) {
  take_roots(variance);
  return sum_of_terms(variance, counts, reserve);
}

double set_score::value() const {
  return score_of(now_.variance, counts_, now_.reserve);
}

std::int64_t set_score::locations_after(int instance, const outcome& x) const {
  if (!p_.tags.any_location || p_.instances[at(instance)].forthcoming)
    return counts_.shared_locations;
  auto from = p_.places[at(instance)].primary;
  auto to = x.where.primary;
  if (from == to)
    return counts_.shared_locations;
  std::map<std::pair<int, int>, int> change;
  for (auto tag : p_.tags.exclusion[at(instance)]) {
    if (from >= 0 && local(from) >= 0 && is_online(from))
      for (auto where : p_.tags.location[at(from)])
        --change[{where, tag}];
    if (to >= 0 && local(to) >= 0 && is_online(to))
      for (auto where : p_.tags.location[at(to)])
        ++change[{where, tag}];
  }
  auto result = counts_.shared_locations;
  for (const auto& [key, by] : change) {
    auto found = locations_.find(key);
    auto before = found == locations_.end() ? 0 : found->second;
    result += std::max(0, before + by - 1) - std::max(0, before - 1);
  }
  return result;
}

score_counts set_score::counts_after(int instance, const outcome& x) const {
  auto counts = counts_;
  if (online_.empty())
    return counts;
  for (int k = 0; k < x.count; ++k) {
    auto n = x.nodes[at(k)];
    if (local(n) < 0)
      continue;
    counts -= counts_of(p_.facts[at(n)], p_.states[at(n)]);
    counts += counts_of(p_.facts[at(n)], x.states[at(k)]);
  }
  counts.shared_locations = locations_after(instance, x);
  return counts;
}

double set_score::after(int instance, const outcome& x) {
  std::array<score_row, 3> kept;
  for (int k = 0; k < x.count; ++k) {
    auto n = x.nodes[at(k)];
    if (local(n) < 0)
      continue;
    kept[at(k)] = rows_[at(local(n))];
    rows_[at(local(n))] = row_of(p_.facts[at(n)], x.states[at(k)]);
  }
  auto m = measure();
  for (int k = 0; k < x.count; ++k)
    if (local(x.nodes[at(k)]) >= 0)
      rows_[at(local(x.nodes[at(k)]))] = kept[at(k)];
  return score_of(m.variance, counts_after(instance, x), m.reserve);
}

set_score::moments set_score::moved(const outcome& x) const {
  auto m = now_;
  auto n = static_cast<double>(online_.size());
  for (int k = 0; k < x.count; ++k) {
    auto node = x.nodes[at(k)];
    if (local(node) < 0 || !is_online(node))
      continue;
    replace(n, m, rows_[at(local(node))],
            row_of(p_.facts[at(node)], x.states[at(k)]));
  }
  return m;
}

double set_score::pair_after(int instance, const outcome& x) const {
  auto m = moved(x);
  return score_of(m.variance, counts_after(instance, x), m.reserve);
}

set_score::half set_score::after_primary(int instance, const outcome& x) const {
  return {moved(x), counts_after(instance, x)};
}

double set_score::after_secondary(const half& h, int node,
                                  const node_state& s) const {
  auto m = h.values;
  replace(static_cast<double>(online_.size()), m, rows_[at(local(node))],
          row_of(p_.facts[at(node)], s));
  auto counts = h.counts;
  counts -= node_counts_[at(local(node))];
  counts += counts_of(p_.facts[at(node)], s);
  return score_of(m.variance, counts, m.reserve);
}

std::pair<double, double> set_score::bounds_after(int instance,
                                                  const outcome& x) const {
  auto m = moved(x);
  auto low = m.variance;
  auto high = m.variance;
  for (std::size_t k = 0; k < spread_terms; ++k) {
    auto slack = 1e-12 * (1 + greatest_[k] * greatest_[k]);
    low[k] = std::max(0.0, low[k] - slack);
    high[k] += slack;
  }
  auto counts = counts_after(instance, x);
  constexpr double rounding = 1e-9; // of the sum of the reserves
  return {score_of(low, counts, m.reserve) - rounding,
          score_of(high, counts, m.reserve) + rounding};
}

} // namespace orderly::planning
