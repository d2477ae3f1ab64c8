// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/job_sets.hpp"

#include <algorithm>
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

} // namespace orderly::planning
