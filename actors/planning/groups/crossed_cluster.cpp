// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/crossed_cluster.hpp"

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

} // namespace orderly::planning
