// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A small cluster of one group, told by the sizes of what is on its nodes.

#pragma once

#include "actors/planning/model/cluster.hpp"

#include <string>
#include <vector>

namespace orderly::planning::samples {

/// Nodes of 10000 MiB and 16 CPUs with instances of these sizes.
inline cluster nodes_with(const std::vector<std::vector<mib>>& sizes) {
  cluster c;
  c.groups.push_back({"g", "u", {}, {}, {}, {}});
  for (const auto& held : sizes) {
    node_spec n;
    n.name = "n" + std::to_string(c.nodes.size());
    n.total_memory = 10'000;
    n.free_memory = 10'000;
    n.total_disk = 1000;
    n.free_disk = 1000;
    n.total_cpus = 16;
    for (auto size : held) {
      instance_spec i;
      i.name = "i" + std::to_string(c.instances.size());
      i.memory = size;
      i.vcpus = 1;
      i.primary = static_cast<int>(c.nodes.size());
      i.disks = disk_template::ext;
      n.free_memory -= size;
      c.instances.push_back(i);
    }
    c.nodes.push_back(n);
  }
  return c;
}

} // namespace orderly::planning::samples
