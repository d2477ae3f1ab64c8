// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/scan_lanes.hpp"

#include <limits>

// The widest vectors that the machine has are chosen when the program starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) \
  && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ORDERLY_LANES \
  __attribute__((     \
    target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define ORDERLY_LANES
#endif

namespace orderly::planning::lanes {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

} // namespace

ORDERLY_LANES void add_spread(double* __restrict to,
                              const double* __restrict value,
                              const double* __restrict per, std::size_t n,
                              const spread& s) {
  const auto change = s.change;
  const auto mean0 = s.mean;
  const auto squares0 = s.squares;
  const auto inverse = s.nodes_inverse;
  // Roots of floats cost a third; they may be too great by their rounding.
  const auto weight = s.weight * (1 - 2e-7);
  for (std::size_t t = 0; t < n; ++t) {
    auto d = change * per[t];
    auto mean = mean0 + d * inverse;
    auto squares = squares0 + d * (2 * value[t] + d) * inverse;
    auto variance = squares - mean * mean;
    auto small = static_cast<float>(variance > 0 ? variance : 0.0);
    to[t] += weight * static_cast<double>(__builtin_sqrtf(small));
  }
}

ORDERLY_LANES void add_tangents(double* __restrict to, const tangent* terms,
                                std::size_t count, std::size_t n) {
  for (std::size_t t = 0; t < n; ++t)
    to[t] = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto* __restrict twice = terms[k].twice;
    const auto* __restrict square = terms[k].square;
    const auto slope = terms[k].slope;
    const auto curve = terms[k].curve;
    for (std::size_t t = 0; t < n; ++t)
      to[t] += slope * twice[t] + curve * square[t];
  }
}

ORDERLY_LANES void add_part(double* __restrict to,
                            const double* __restrict part, double base,
                            std::size_t n) {
  for (std::size_t t = 0; t < n; ++t)
    to[t] += part[t] + base;
}

ORDERLY_LANES void add_reserve(double* __restrict to,
                               const double* __restrict value,
                               const double* __restrict taken, double slope,
                               double weight, std::size_t n) {
  for (std::size_t t = 0; t < n; ++t)
    to[t] += taken[t] * (weight + slope * (2 * value[t] + taken[t]));
}

ORDERLY_LANES void ask_primary(double* __restrict to, const takers& x,
                               std::size_t n, const demand& d) {
  const auto* __restrict unallocated = x.unallocated;
  const auto* __restrict reserved = x.reserved;
  const auto* __restrict is_short = x.is_short;
  const auto* __restrict held = x.held;
  const auto* __restrict disk_left = d.strict ? x.disk_soft : x.disk_left;
  const auto* __restrict spindles_left = x.spindles_left;
  const auto* __restrict cpus_left = x.cpus_left;
  const auto* __restrict closed = x.closed;
  const auto memory = d.memory;
  const auto disk = d.local ? d.disk : -never;
  const auto spindles = d.local && d.strict ? d.spindles : -never;
  const auto cpus = d.strict ? d.cpus : -never;
  const auto no_news = d.strict ? never : 0.0;
  for (std::size_t t = 0; t < n; ++t) {
    auto left = unallocated[t] - memory;
    auto now_short = left <= reserved[t] ? 1.0 : 0.0;
    auto news = now_short > is_short[t] ? no_news : 0.0;
    auto cost = now_short * (held[t] + 1) - is_short[t] * held[t];
    cost += left <= 0 ? never : news;
    cost += disk_left[t] < disk ? never : 0.0;
    cost += spindles_left[t] < spindles ? never : 0.0;
    cost += cpus_left[t] < cpus ? never : 0.0;
    to[t] = cost + closed[t];
  }
}

ORDERLY_LANES void ask_secondary(double* __restrict to,
                                 double* __restrict taken, const takers& x,
                                 const double* __restrict row, std::size_t n,
                                 const demand& d) {
  const auto* __restrict unallocated = x.unallocated;
  const auto* __restrict reserved = x.reserved;
  const auto* __restrict is_short = x.is_short;
  const auto* __restrict held = x.held;
  const auto* __restrict disk_left = d.strict ? x.disk_soft : x.disk_left;
  const auto* __restrict spindles_left = x.spindles_left;
  const auto* __restrict closed = x.closed;
  const auto* __restrict per_memory = x.per_memory;
  const auto reserve = d.reserve;
  const auto least = d.strict ? d.reserve : -never;
  const auto disk = d.disk;
  const auto spindles = d.strict ? d.spindles : -never;
  const auto no_news = d.strict ? never : 0.0;
  for (std::size_t t = 0; t < n; ++t) {
    auto own = row[t] + reserve;
    auto most = own > reserved[t] ? own : reserved[t];
    taken[t] = (most - reserved[t]) * per_memory[t];
    auto now_short = unallocated[t] <= most ? 1.0 : 0.0;
    auto cost = now_short * (held[t] + 1) - is_short[t] * held[t];
    cost += now_short > is_short[t] ? no_news : 0.0;
    cost += unallocated[t] <= least ? never : 0.0;
    cost += disk_left[t] < disk ? never : 0.0;
    cost += spindles_left[t] < spindles ? never : 0.0;
    to[t] = cost + closed[t];
  }
}

ORDERLY_LANES void ask_keeper(double* __restrict to, double* __restrict taken,
                              const double* __restrict row, std::size_t n,
                              const keeper& k) {
  const auto base = k.reserved;
  const auto before = k.before;
  const auto reserve = k.reserve;
  const auto per = k.per_memory;
  const auto unallocated = k.unallocated;
  const auto held = k.held;
  const auto news = k.strict && !k.was_short ? never : 0.0;
  const auto least = k.strict && k.reserve >= k.unallocated ? never : 0.0;
  for (std::size_t t = 0; t < n; ++t) {
    auto own = row[t] + reserve;
    auto most = own > base ? own : base;
    taken[t] = (most - before) * per;
    to[t] += (unallocated <= most ? held + news : 0.0) + least;
  }
}

ORDERLY_LANES void raise(double* __restrict to, double b, std::size_t n) {
  for (std::size_t t = 0; t < n; ++t)
    to[t] += b;
}

ORDERLY_LANES void add(double* __restrict to, const double* __restrict a,
                       double b, std::size_t n) {
  for (std::size_t t = 0; t < n; ++t)
    to[t] += a[t] * b;
}

ORDERLY_LANES bool any_below(const double* __restrict x, double bound,
                             std::size_t n) {
  int found = 0;
  for (std::size_t t = 0; t < n; ++t)
    found |= x[t] < bound ? 1 : 0;
  return found != 0;
}

} // namespace orderly::planning::lanes
