// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a simulated cluster looks like at its beginning: nodes, instances,
// tags. Drills name a small one, swarms and benches have one generated.

#pragma once

#include "messages/cluster.hpp"
#include "messages/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orderly::sim {

struct world_plan {
  struct node {
    node_name name;
    group_name group;
    bool power_control = true; ///< has a helper program configured
    /// As the cluster resolved it, "!" included; unset: the simulator's own,
    /// if it has power control.
    std::optional<std::string> program;
    bool offline = false; ///< marked so, and without power
    /// Recorded so, and really so; unset: unless it is offline.
    std::optional<bool> powered;
    bool drained = false;
    bool vm_capable = true;
    std::int64_t memory_mib = 64 * 1024;
    std::int64_t disk_mib = 2 * 1024 * 1024;
    std::int64_t cpus = 16;
    std::string uuid{}; ///< empty: made of its name
  };

  std::string name; ///< of the cluster
  node_name master;
  std::uint64_t seed = 1;
  std::vector<std::string> tags; ///< of the cluster
  std::vector<group_record> groups;
  std::vector<node> nodes;
  std::vector<instance_record> instances;
};

/// The helper program that every simulated node has.
inline constexpr const char* sim_oob_program = "/usr/lib/orderly/oob-sim";

/// A generated cluster: nodes and instances spread evenly over the groups,
/// about half drbd, a third sharedfile, the rest plain; the cluster permits
/// failover. Node names are zero-padded, so that they sort as counted.
world_plan make_plan(std::uint32_t nodes, std::uint32_t instances,
                     std::uint32_t groups, std::uint64_t seed);

/// A cluster by name: `small-3n`, `small-5n`, `kinds-5n`, `uneven-5n`,
/// `uneven-10n`, `tight-4n`, `two-groups`, `big-40n`, or
/// `made-NODES-INSTANCES-GROUPS`. An unknown name gives a fault that lists the
/// names.
result<world_plan> plan_named(const std::string& name, std::uint64_t seed);

} // namespace orderly::sim
