// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/scan.hpp"

#include <algorithm>
#include <cmath>

namespace orderly::planning {

namespace {

/// The nodes of two transits, each once.
struct meeting {
  std::array<int, 8> nodes{};
  std::size_t count = 0;

  void add(int node) {
    if (node < 0
        || std::find(nodes.begin(),
                     nodes.begin() + static_cast<std::ptrdiff_t>(count), node)
             != nodes.begin() + static_cast<std::ptrdiff_t>(count))
      return;
    nodes[count++] = node;
  }
};

} // namespace

double quantity_of(const instance_facts& x, std::size_t term, bool primary) {
  auto as_primary
    = [primary](auto y) { return primary ? static_cast<double>(y) : 0.0; };
  switch (term) {
  case free_memory:
    return -as_primary(x.memory);
  case later_free_memory:
    return -as_primary(x.size);
  case free_disk:
  case later_free_disk:
    return -static_cast<double>(x.disk);
  case vcpu_ratio:
  case later_vcpu_ratio:
    return as_primary(x.vcpus);
  case cpu_load:
    return as_primary(x.use[load_cpu]);
  case memory_load:
    return as_primary(x.use[load_memory]);
  case disk_load:
    return x.use[load_disk];
  case net_load:
    return as_primary(x.use[load_net]);
  case spindle_ratio:
  case later_spindle_ratio:
    return static_cast<double>(x.spindles);
  default:
    return 0;
  }
}

/// How much the score grows with the mean square of the term, about.
double scan::slope_of(const merged_term& t) const {
  auto n = sums_->nodes();
  auto mean = sums_->sum(t.term) / n;
  auto deviation
    = std::sqrt(std::max(0.0, sums_->squares(t.term) / n - mean * mean));
  constexpr double least = 1e-4; // where a root is no longer like a line
  return t.weight / (2 * n * std::max(deviation, least));
}

void scan::prepare_guesses(const placement& p) {
  for (std::size_t i = 0; i < p.instances.size(); ++i)
    for (std::size_t k = 0; k < terms_.size(); ++k)
      for (auto primary : {false, true})
        shares_[2 * i + (primary ? 1 : 0)][k]
          = quantity_of(p.instances[i], terms_[k].term, primary);
}

double scan::guess(const transit& a, const transit& b) const {
  meeting all;
  for (const auto* x : {&a, &b})
    for (auto n :
         {x->from.primary, x->from.secondary, x->to.primary, x->to.secondary})
      all.add(n);
  static constexpr score_row nothing{};
  // What of an instance a place gives a node: nothing, a mirror, all.
  auto share = [this](int instance, place x, int node) -> const score_row& {
    if (x.primary == node)
      return shares_[2 * at(instance) + 1];
    return x.secondary == node ? shares_[2 * at(instance)] : nothing;
  };
  score_row change{};
  constexpr auto half = std::tuple_size_v<score_row> / 2;
  for (std::size_t j = 0; j < all.count; ++j) {
    auto n = all.nodes[j];
    const auto& in = share(a.instance, a.to, n);
    const auto& out = share(a.instance, a.from, n);
    const auto& in2 = share(b.instance, b.to, n);
    const auto& out2 = share(b.instance, b.from, n);
    const auto& twice = tangents_[2 * at(n)];
    const auto& square = tangents_[2 * at(n) + 1];
    auto add = [&](std::size_t first) {
      for (auto k = first; k < first + half; ++k) {
        auto d = in[k] - out[k] + in2[k] - out2[k];
        change[k] += d * (twice[k] + d * square[k]);
      }
    };
    add(0);
    if (terms_.size() > half)
      add(half);
  }
  double result = 0;
  for (std::size_t k = 0; k < terms_.size(); ++k)
    result += slope_[terms_[k].term] * change[k];
  return result;
}

} // namespace orderly::planning
