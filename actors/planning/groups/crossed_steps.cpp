// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/crossed_steps.hpp"

namespace orderly::planning {

namespace {

/// The node gains, or loses if `by` is -1, what the instance takes of it.
void give(node_spec& n, const instance_spec& x, bool as_primary, int by) {
  if (x.forthcoming)
    return;
  if (as_primary && uses_memory(x))
    n.free_memory += by * x.memory;
  if (!uses_local_disk(x.disks))
    return;
  n.free_disk += by * x.disk;
  if (n.exclusive_storage)
    for (const auto& spindles : x.disk_spindles)
      n.free_spindles += by * spindles.value_or(0);
}

} // namespace

cluster crossed_cluster(const cluster& c, const std::vector<step>& steps) {
  auto result = c;
  for (const auto& s : steps) {
    auto& x = result.instances[at(s.what.instance)];
    auto change = [&](place where, int by) {
      if (where.primary >= 0)
        give(result.nodes[at(where.primary)], x, true, by);
      if (where.secondary >= 0)
        give(result.nodes[at(where.secondary)], x, false, by);
    };
    change({x.primary, x.secondary}, 1);
    change(s.to, -1);
    x.primary = s.to.primary;
    x.secondary = s.to.secondary;
  }
  return result;
}

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
