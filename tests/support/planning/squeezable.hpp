// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Clusters of which nodes could be off: two groups, most instances on shared
// storage, few enough for some of the nodes, and nodes that are off already.
// The same seed gives the same cluster.

#pragma once

#include "tests/support/planning/samples.hpp"

namespace orderly::planning::samples {

struct squeezable {
  int nodes = 8;          ///< in each of two groups
  int instances = 30;     ///< in all
  bool local = false;     ///< some are mirrored or on their node's own disk
  bool tags = false;      ///< some exclude each other
  bool standby = false;   ///< one node in four is off
  bool unknown = false;   ///< and nobody knows what it has
  int memory_unit = 1024; ///< instances have one to eight of it
};

inline node_spec squeezable_node(dice& d, int number, const squeezable& f) {
  node_spec n;
  n.name = "node" + std::to_string(number);
  n.group = number / f.nodes;
  n.total_memory = 16384 * (1 + d.roll(3));
  n.node_memory = 1024;
  n.total_disk = 4e6;
  n.free_disk = 4'000'000;
  n.total_cpus = 8 + 8 * d.roll(3);
  n.spindles = 10;
  n.master = number == 1;
  if (f.standby && number % 4 == 3) {
    n.offline = true;
    n.tags = {d.chance(50) ? "htools:standby:auto" : "htools:standby:night"};
    if (f.unknown)
      n.total_memory = n.total_disk = n.total_cpus = 0;
  }
  n.free_memory = n.offline && f.unknown
                    ? 0
                    : static_cast<mib>(n.total_memory) - n.node_memory;
  return n;
}

inline cluster draw_squeezable(std::uint64_t seed, const squeezable& f) {
  dice d{seed};
  cluster c;
  c.groups.push_back({"g1", "u1", {}, {}, {}, {}});
  c.groups.push_back({"g2", "u2", {}, {}, {}, {}});
  for (auto& g : c.groups)
    g.policy.standard = {512, 1, 1024, 1, 1, 1};
  c.policy.standard = c.groups[0].policy.standard;
  for (int k = 0; k < 2 * f.nodes; ++k)
    c.nodes.push_back(squeezable_node(d, k, f));
  if (f.tags)
    c.tags = {"htools:iextags:service"};
  for (int k = 0; k < f.instances; ++k) {
    instance_spec i;
    i.name = "inst" + std::to_string(k);
    i.memory = f.memory_unit * (1 + d.roll(8));
    i.vcpus = 1 + d.roll(4);
    i.disk = 1024;
    i.disks = d.chance(50) ? disk_template::rbd : disk_template::ext;
    i.primary = d.roll(2 * f.nodes);
    i.disk_spindles = {std::nullopt};
    if (f.tags && d.chance(30))
      i.tags = {"service:" + std::to_string(d.roll(6))};
    if (f.local && d.chance(10)) {
      i.disks = d.chance(50) ? disk_template::drbd : disk_template::plain;
      i.auto_balance = !d.chance(20);
    }
    if (d.chance(8))
      i.status = instance_status::admin_down;
    auto& home = c.nodes[at(i.primary)];
    if (home.offline || home.free_memory < i.memory + 2048)
      continue;
    if (i.disks == disk_template::drbd) {
      auto base = i.primary / f.nodes * f.nodes;
      i.secondary
        = base + (i.primary - base + 1 + d.roll(f.nodes - 1)) % f.nodes;
      if (c.nodes[at(i.secondary)].offline)
        continue;
      c.nodes[at(i.secondary)].free_disk -= i.disk;
    }
    if (uses_local_disk(i.disks))
      home.free_disk -= i.disk;
    if (uses_memory(i))
      home.free_memory -= i.memory;
    c.instances.push_back(i);
  }
  return c;
}

} // namespace orderly::planning::samples
