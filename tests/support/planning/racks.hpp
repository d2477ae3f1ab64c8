// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Small clusters of some groups, built by hand, for tests of what goes from
// group to group.

#pragma once

#include "actors/planning/model/cluster.hpp"

#include <string>

namespace orderly::planning::samples {

/// Groups rack0, rack1, ... with so many empty nodes each, of 10000 MiB.
inline cluster racks(int groups, int nodes) {
  cluster c;
  for (int g = 0; g < groups; ++g) {
    auto number = std::to_string(g);
    c.groups.push_back({"rack" + number, "uuid" + number, {}, {}, {}, {}});
    c.groups.back().policy.ranges
      = {{{}, {1'000'000, 64, 1'000'000, 16, 8, 12}}};
    c.groups.back().policy.standard = {1000, 1, 1000, 1, 1, 1};
    for (int k = 0; k < nodes; ++k) {
      node_spec n;
      n.name = "n" + number + std::to_string(k);
      n.group = g;
      n.total_memory = 10'000;
      n.free_memory = 10'000;
      n.total_disk = 1'000'000;
      n.free_disk = 1'000'000;
      n.total_cpus = 64;
      n.spindles = 100;
      c.nodes.push_back(n);
    }
  }
  return c;
}

/// Nothing runs on it any more.
inline void lose(cluster& c, int node) {
  c.nodes[at(node)].offline = c.nodes[at(node)].dead = true;
}

/// Nothing may run on it; it lives.
inline void drain(cluster& c, int node) {
  c.nodes[at(node)].offline = true;
}

/// One more instance; its number. Nodes have less then.
inline int add(cluster& c, int primary, mib memory,
               disk_template disks = disk_template::ext, int secondary = -1) {
  instance_spec i;
  i.name = "i" + std::to_string(c.instances.size());
  i.memory = memory;
  i.vcpus = 1;
  i.disk = 1000;
  i.disk_sizes = {1000};
  i.primary = primary;
  i.secondary = secondary;
  i.disks = disks;
  c.nodes[at(primary)].free_memory -= memory;
  if (uses_local_disk(disks))
    for (auto n : {primary, secondary})
      if (n >= 0)
        c.nodes[at(n)].free_disk -= i.disk;
  c.instances.push_back(i);
  return static_cast<int>(c.instances.size()) - 1;
}

/// In rack0 node n00 is dead, with an instance that no other node of the rack
/// has room for, and that rack1 has.
inline cluster one_too_many() {
  auto c = racks(2, 3);
  add(c, 0, 6000);
  add(c, 1, 6000);
  add(c, 2, 2500, disk_template::plain);
  add(c, 2, 1000);
  lose(c, 0);
  return c;
}

} // namespace orderly::planning::samples
