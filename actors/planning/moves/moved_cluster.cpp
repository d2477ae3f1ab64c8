// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/moves/moved_cluster.hpp"

namespace orderly::planning {

cluster moved_cluster(const cluster& c, const placement& p) {
  auto result = c;
  for (std::size_t i = 0; i < p.places.size(); ++i) {
    if (p.places[i].primary < 0)
      continue; // it is nowhere
    auto& x = result.instances[static_cast<std::size_t>(p.instance_index[i])];
    x.primary = p.node_index[static_cast<std::size_t>(p.places[i].primary)];
    if (p.places[i].secondary >= 0)
      x.secondary
        = p.node_index[static_cast<std::size_t>(p.places[i].secondary)];
  }
  for (std::size_t n = 0; n < p.states.size(); ++n) {
    auto& x = result.nodes[static_cast<std::size_t>(p.node_index[n])];
    const auto& s = p.states[n];
    // What nobody accounts for stays what it was.
    x.free_memory = static_cast<mib>(x.total_memory) - x.node_memory
                    - s.instance_memory - p.facts[n].missing_memory;
    x.free_disk = s.free_disk;
    x.free_spindles = s.free_spindles;
  }
  return result;
}

} // namespace orderly::planning
