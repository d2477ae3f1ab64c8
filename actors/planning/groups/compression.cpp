// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/compression.hpp"

#include "actors/planning/groups/group_report.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

bool can_be(const emptying& x) {
  return x.is == empty_verdict::can && !x.steps.empty();
}

std::vector<group_report> reports_in_order(const cluster& c,
                                           const build_options& build) {
  auto all = report_groups(c, build);
  all.erase(
    std::remove_if(all.begin(), all.end(),
                   [](const group_report& g) { return g.state.nodes == 0; }),
    all.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const group_report& a, const group_report& b) {
                     auto key = [](const group_report& g) {
                       return std::tuple{-g.room.free_memory, -g.room.free_disk,
                                         -g.room.free_cpus};
                     };
                     return key(a) < key(b);
                   });
  return all;
}

} // namespace

std::vector<int> most_free_first(const cluster& c, const build_options& build) {
  std::vector<int> result;
  for (const auto& g : reports_in_order(c, build))
    result.push_back(g.group);
  return result;
}

compression empty_most_free(const cluster& c, const emptier& judge,
                            const build_options& build) {
  compression result;
  for (auto g : most_free_first(c, build)) {
    result.verdicts.push_back(judge.judge({g}));
    if (!can_be(result.verdicts.back()))
      continue;
    result.best = result.verdicts.size() - 1;
    break;
  }
  return result;
}

compression empty_all(const cluster& c, const emptier& judge,
                      const build_options& build) {
  compression result;
  std::vector<std::pair<mib, int>> able;
  for (const auto& g : reports_in_order(c, build)) {
    result.verdicts.push_back(judge.judge({g.group}));
    if (can_be(result.verdicts.back()))
      able.emplace_back(-g.room.memory, g.group);
  }
  std::stable_sort(able.begin(), able.end());
  std::vector<int> together;
  for (const auto& [memory, g] : able) {
    auto more = together;
    more.push_back(g);
    auto x = judge.judge(more);
    if (!can_be(x))
      continue;
    together = std::move(more);
    // One alone was judged above.
    if (together.size() > 1)
      result.verdicts.push_back(std::move(x));
    for (std::size_t k = 0; k < result.verdicts.size(); ++k)
      if (result.verdicts[k].groups == together)
        result.best = k;
  }
  return result;
}

} // namespace orderly::planning
