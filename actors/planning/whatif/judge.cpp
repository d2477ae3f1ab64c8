// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/judge.hpp"

#include "actors/planning/score/shared_n1.hpp"

namespace orderly::planning {

group_state state_of(const placement& p, int group) {
  group_state result;
  result.group = group;
  shared_n1 n1{p};
  for (int n = 0; n < p.node_count(); ++n) {
    if (!p.facts[at(n)].online)
      continue;
    ++result.nodes;
    const auto& s = p.states[at(n)];
    auto node = p.node_index[at(n)];
    // What is free must be more than what is kept, not just as much.
    if (s.short_of_memory)
      result.short_of.push_back(
        {node, std::max<mib>(1, s.reserved + 1 - p.unallocated(n, s))});
    if (!n1.covered(n))
      result.uncovered.push_back({node, n1.unplaced(p, n)});
  }
  return result;
}

std::vector<group_state> states_of(const cluster& c,
                                   const build_options& build) {
  std::vector<group_state> result;
  for (std::size_t g = 0; g < c.groups.size(); ++g) {
    auto group = static_cast<int>(g);
    placement p{c, group, build};
    if (p.node_count() > 0)
      result.push_back(state_of(p, group));
  }
  return result;
}

} // namespace orderly::planning
