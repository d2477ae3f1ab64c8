// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/job_sets.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace orderly::planning {

std::vector<move_part> parts_of(const move& m) {
  using w = move_part::what;
  move_part over{w::migrate, -1};
  move_part disks{w::replace_disks, m.target};
  switch (m.kind) {
  case move_kind::failover:
    return {over};
  case move_kind::failover_to:
    return {{w::migrate_to, m.target}};
  case move_kind::replace_secondary:
    return {disks};
  case move_kind::replace_and_failover:
    return {disks, over};
  case move_kind::failover_and_replace:
    return {over, disks};
  case move_kind::replace_primary:
    return {over, disks, over};
  }
  return {};
}

std::vector<std::vector<std::size_t>> job_sets(const std::vector<step>& steps) {
  std::vector<std::vector<std::size_t>> result;
  std::set<int> busy;
  // From the end, as the reference does: it decides which runs come out.
  for (std::size_t k = steps.size(); k-- > 0;) {
    std::set<int> nodes;
    const auto& s = steps[k];
    for (auto n :
         {s.from.primary, s.from.secondary, s.to.primary, s.to.secondary})
      if (n >= 0)
        nodes.insert(n);
    auto meets = std::any_of(nodes.begin(), nodes.end(),
                             [&](int n) { return busy.count(n) != 0; });
    if (result.empty() || meets) {
      result.emplace_back();
      busy.clear();
    }
    result.back().push_back(k);
    busy.insert(nodes.begin(), nodes.end());
  }
  std::reverse(result.begin(), result.end());
  for (auto& set : result)
    std::reverse(set.begin(), set.end());
  return result;
}

std::vector<std::vector<std::size_t>>
job_waves(const std::vector<step>& steps) {
  std::vector<std::vector<std::size_t>> result;
  std::map<int, std::size_t> busy; // waves that a node is in already
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto& s = steps[k];
    auto nodes
      = {s.from.primary, s.from.secondary, s.to.primary, s.to.secondary};
    std::size_t wave = 0;
    for (auto n : nodes)
      if (n >= 0)
        wave = std::max(wave, busy[n]);
    for (auto n : nodes)
      if (n >= 0)
        busy[n] = wave + 1;
    if (result.size() <= wave)
      result.resize(wave + 1);
    result[wave].push_back(k);
  }
  return result;
}

} // namespace orderly::planning
