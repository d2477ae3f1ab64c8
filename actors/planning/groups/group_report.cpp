// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/group_report.hpp"

#include "actors/planning/groups/group_cut.hpp"

#include <algorithm>
#include <cmath>

namespace orderly::planning {

group_room room_of(const placement& p) {
  group_room r;
  for (int n = 0; n < p.node_count(); ++n) {
    const auto& f = p.facts[at(n)];
    const auto& s = p.states[at(n)];
    if (!f.online)
      continue;
    auto cpus = static_cast<std::int64_t>(f.vcpu_ratio * f.total_cpus);
    r.memory += static_cast<mib>(f.total_memory);
    r.free_memory += std::max<mib>(0, p.unallocated(n, s));
    r.disk += static_cast<mib>(f.total_disk);
    r.free_disk += std::max<mib>(0, s.free_disk - f.low_disk);
    r.cpus += cpus;
    r.free_cpus += std::max<std::int64_t>(0, cpus - s.cpus);
  }
  return r;
}

group_room sum_of(const std::vector<group_report>& all) {
  group_room r;
  for (const auto& g : all) {
    r.memory += g.room.memory;
    r.free_memory += g.room.free_memory;
    r.disk += g.room.disk;
    r.free_disk += g.room.free_disk;
    r.cpus += g.room.cpus;
    r.free_cpus += g.room.free_cpus;
  }
  return r;
}

std::vector<group_report> report_groups(const cluster& c,
                                        const build_options& build) {
  std::vector<group_report> result;
  group_cuts cuts{c};
  for (std::size_t g = 0; g < c.groups.size(); ++g) {
    group_report r;
    r.group = static_cast<int>(g);
    auto cut = cuts.of(r.group, {});
    placement p{cut.part, r.group, build};
    r.nodes = p.node_count();
    r.instances = p.instance_count();
    r.state = state_of(p, r.group);
    for (auto* lacks : {&r.state.short_of, &r.state.uncovered})
      for (auto& x : *lacks)
        x.node = cut.nodes[at(x.node)];
    r.room = room_of(p);
    result.push_back(std::move(r));
  }
  auto is_out = [&](int n) { return n >= 0 && c.nodes[at(n)].offline; };
  for (std::size_t i = 0; i < c.instances.size(); ++i) {
    const auto& x = c.instances[i];
    if (x.primary >= 0 && (is_out(x.primary) || is_out(x.secondary)))
      result[at(c.nodes[at(x.primary)].group)].stranded.push_back(
        static_cast<int>(i));
  }
  return result;
}

} // namespace orderly::planning
