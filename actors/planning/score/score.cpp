// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/score/score.hpp"

#include <algorithm>
#include <cmath>

namespace orderly::planning {

namespace {

double free_part(const node_facts& f, mib disk, std::int64_t spindles) {
  if (f.exclusive)
    return static_cast<double>(spindles) / f.total_spindles;
  return f.total_disk == 0 ? 1 : static_cast<double>(disk) / f.total_disk;
}

} // namespace

score_row row_of(const node_facts& f, const node_state& s) {
  score_row r{};
  auto ratio
    = [](auto x, double whole) { return static_cast<double>(x) / whole; };
  r[free_memory] = ratio(f.base_memory - s.instance_memory, f.total_memory);
  r[free_disk] = free_part(f, s.free_disk, s.free_spindles);
  r[reserved_memory] = ratio(s.reserved, f.total_memory);
  r[vcpu_ratio] = ratio(s.cpus, f.total_cpus) / f.cpu_speed;
  r[cpu_load] = s.use[load_cpu];
  r[memory_load] = s.use[load_memory];
  r[disk_load] = s.use[load_disk];
  r[net_load] = s.use[load_net];
  r[spindle_ratio] = ratio(s.spindles, f.high_spindles);
  r[later_free_memory] = ratio(s.later_memory, f.total_memory);
  r[later_free_disk] = free_part(f, s.later_disk, s.later_free_spindles);
  r[later_vcpu_ratio] = ratio(s.later_cpus, f.total_cpus) / f.cpu_speed;
  r[later_spindle_ratio] = ratio(s.later_spindles, f.high_spindles);
  return r;
}

double score_counts::weighted() const {
  return static_cast<double>(short_of_memory + 4 * offline
                             + 16 * offline_primary + 2 * conflicts + misplaced
                             + shared_locations);
}

std::int64_t shared_location_change(const placement& p, int instance, int to) {
  auto from = p.places[at(instance)].primary;
  if (!p.tags.any_location || from == to
      || p.instances[at(instance)].forthcoming)
    return 0;
  std::map<std::pair<int, int>, int> change;
  for (auto tag : p.tags.exclusion[at(instance)]) {
    if (from >= 0 && p.facts[at(from)].online)
      for (auto where : p.tags.location[at(from)])
        --change[{where, tag}];
    if (p.facts[at(to)].online)
      for (auto where : p.tags.location[at(to)])
        ++change[{where, tag}];
  }
  std::int64_t result = 0;
  for (const auto& [key, by] : change) {
    auto found = p.location_counts.find(key);
    auto before = found == p.location_counts.end() ? 0 : found->second;
    result += std::max(0, before + by - 1) - std::max(0, before - 1);
  }
  return result;
}

struct score_board::spreads {
  score_row deviation{};
  double reserve = 0;
};

score_board::score_board(const placement& p) {
  for (int n = 0; n < p.node_count(); ++n) {
    rows_.push_back(row_of(p.facts[at(n)], p.states[at(n)]));
    if (p.facts[at(n)].online)
      online_.push_back(n);
  }
  count(p);
}

void score_board::count(const placement& p) {
  counts_ = {};
  if (online_.empty())
    return; // there is nothing to move to: the reference says 0
  for (int n = 0; n < p.node_count(); ++n)
    counts_ += counts_of(p.facts[at(n)], p.states[at(n)]);
  counts_.shared_locations = p.shared_locations;
}

score_board::spreads score_board::measure() const {
  spreads result;
  if (online_.empty())
    return result;
  auto n = static_cast<double>(online_.size());
  score_row sum{};
  for (auto i : online_)
    for (std::size_t k = 0; k < sum.size(); ++k)
      sum[k] += rows_[at(i)][k];
  score_row mean{};
  for (std::size_t k = 0; k < sum.size(); ++k)
    mean[k] = sum[k] / n;
  score_row squares{};
  for (auto i : online_)
    for (std::size_t k = 0; k < sum.size(); ++k) {
      auto d = rows_[at(i)][k] - mean[k];
      squares[k] += d * d;
    }
  for (std::size_t k = 0; k < sum.size(); ++k)
    result.deviation[k] = std::sqrt(squares[k] / n);
  result.reserve = sum[reserved_memory];
  return result;
}

namespace {

struct term {
  std::string_view name;
  double weight = 0;
};

constexpr std::array<term, 20> terms{{{"free_mem_cv", 0.5},
                                      {"free_disk_cv", 0.5},
                                      {"n1_cnt", 1},
                                      {"reserved_mem_cv", 1},
                                      {"offline_all_cnt", 4},
                                      {"offline_pri_cnt", 16},
                                      {"vcpu_ratio_cv", 0.5},
                                      {"cpu_load_cv", 1},
                                      {"mem_load_cv", 1},
                                      {"disk_load_cv", 1},
                                      {"net_load_cv", 1},
                                      {"pri_tags_score", 2},
                                      {"spindles_cv", 0.5},
                                      {"free_mem_cv_forth", 0.5},
                                      {"free_disk_cv_forth", 0.5},
                                      {"vcpu_ratio_cv_forth", 0.5},
                                      {"spindles_cv_forth", 0.5},
                                      {"location_score", 1},
                                      {"location_exclusion_score", 1},
                                      {"reserved_mem_rtotal", reserve_weight}}};

using term_values = std::array<double, terms.size()>;

term_values values_of(const score_row& d, const score_counts& c,
                      double reserve) {
  auto count = [](std::int64_t x) { return static_cast<double>(x); };
  return {d[free_memory],
          d[free_disk],
          count(c.short_of_memory),
          d[reserved_memory],
          count(c.offline),
          count(c.offline_primary),
          d[vcpu_ratio],
          d[cpu_load],
          d[memory_load],
          d[disk_load],
          d[net_load],
          count(c.conflicts),
          d[spindle_ratio],
          d[later_free_memory],
          d[later_free_disk],
          d[later_vcpu_ratio],
          d[later_spindle_ratio],
          count(c.misplaced),
          count(c.shared_locations),
          reserve};
}

} // namespace

std::array<score_line, 20> score_lines(const placement& p) {
  score_board board{p};
  auto m = board.measure();
  auto values = values_of(m.deviation, board.counts_, m.reserve);
  std::array<score_line, 20> result;
  for (std::size_t k = 0; k < terms.size(); ++k)
    result[k] = {terms[k].name, values[k], terms[k].weight};
  return result;
}

double sum_of_terms(const score_row& deviation, const score_counts& c,
                    double reserve) {
  auto values = values_of(deviation, c, reserve);
  // In the order of the terms: addition is not associative.
  double result = 0;
  for (std::size_t k = 0; k < terms.size(); ++k)
    result += values[k] * terms[k].weight;
  return result;
}

double exact_score(const placement& p) {
  return score_board{p}.score();
}

double score_board::score() const {
  auto m = measure();
  return sum_of_terms(m.deviation, counts_, m.reserve);
}

score_counts score_board::counts_after(const placement& p, const move& m,
                                       const outcome& x) const {
  auto counts = counts_;
  for (int k = 0; k < x.count; ++k) {
    auto n = at(x.nodes[at(k)]);
    counts -= counts_of(p.facts[n], p.states[n]);
    counts += counts_of(p.facts[n], x.states[at(k)]);
  }
  counts.shared_locations
    += shared_location_change(p, m.instance, x.where.primary);
  return counts;
}

double score_board::score_after(const placement& p, const move& m,
                                const outcome& x) {
  std::array<score_row, 3> kept;
  for (int k = 0; k < x.count; ++k) {
    auto n = at(x.nodes[at(k)]);
    kept[at(k)] = rows_[n];
    rows_[n] = row_of(p.facts[n], x.states[at(k)]);
  }
  auto spread = measure();
  for (int k = 0; k < x.count; ++k)
    rows_[at(x.nodes[at(k)])] = kept[at(k)];
  return sum_of_terms(spread.deviation, counts_after(p, m, x), spread.reserve);
}

void score_board::foresee(const placement& p, const move& m, const outcome& x) {
  counts_ = counts_after(p, m, x);
  for (int k = 0; k < x.count; ++k) {
    auto n = at(x.nodes[at(k)]);
    rows_[n] = row_of(p.facts[n], x.states[at(k)]);
  }
}

void score_board::restore(const placement& p, const outcome& x,
                          const score_counts& counts) {
  for (int k = 0; k < x.count; ++k) {
    auto n = at(x.nodes[at(k)]);
    rows_[n] = row_of(p.facts[n], p.states[n]);
  }
  counts_ = counts;
}

void score_board::update(const placement& p, const outcome& x) {
  for (int k = 0; k < x.count; ++k) {
    auto n = at(x.nodes[at(k)]);
    rows_[n] = row_of(p.facts[n], p.states[n]);
  }
  count(p);
}

} // namespace orderly::planning
