// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/crossing_copies.hpp"

namespace orderly::planning {

std::vector<step> moves_of_crossings(const cluster& c,
                                     const std::vector<step>& steps) {
  std::vector<step> result;
  for (const auto& s : steps) {
    if (s.from.secondary < 0 || s.to.secondary < 0) {
      result.push_back(s);
      continue;
    }
    auto i = s.what.instance;
    auto now = s.from;
    auto make = [&](move_kind kind, int target) {
      move m{i, kind, target};
      auto to = destination(now, m);
      result.push_back({m, now, to, 0});
      now = to;
    };
    if (is_dead(c.nodes[at(now.primary)]))
      make(move_kind::failover, -1);
    make(move_kind::replace_and_failover, s.to.primary);
    make(move_kind::replace_secondary, s.to.secondary);
  }
  return result;
}

} // namespace orderly::planning
