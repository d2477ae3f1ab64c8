// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/squeeze/standby.hpp"

#include <algorithm>
#include <cmath>

namespace orderly::planning {

namespace {

/// Rounded down, and bounded: no node has more.
std::int64_t times(double factor, std::int64_t x) {
  constexpr double most = 1e12;
  return static_cast<std::int64_t>(
    std::floor(std::min(most, factor * static_cast<double>(x))));
}

} // namespace

bool is_standby(const node_spec& x) {
  return std::any_of(x.tags.begin(), x.tags.end(), [](const std::string& t) {
    return t.compare(0, standby_prefix.size(), standby_prefix) == 0;
  });
}

std::vector<int> nodes_to_switch_off(const cluster& c) {
  std::vector<int> primaries(c.nodes.size(), 0);
  std::vector<bool> bound(c.nodes.size(), false);
  for (const auto& x : c.instances) {
    if (x.forthcoming)
      continue; // it is not there yet
    if (x.primary >= 0) {
      ++primaries[at(x.primary)];
      if (uses_local_disk(x.disks))
        bound[at(x.primary)] = true;
    }
    if (x.secondary >= 0)
      bound[at(x.secondary)] = true;
  }
  std::vector<int> result;
  for (std::size_t n = 0; n < c.nodes.size(); ++n)
    if (!c.nodes[n].offline && !c.nodes[n].master
        && !c.nodes[n].master_candidate && !bound[n])
      result.push_back(static_cast<int>(n));
  std::stable_sort(result.begin(), result.end(), [&](int a, int b) {
    return primaries[at(a)] > primaries[at(b)];
  });
  return result;
}

std::vector<int> nodes_to_switch_on(const cluster& c) {
  std::vector<int> result;
  for (std::size_t n = 0; n < c.nodes.size(); ++n)
    if (c.nodes[n].offline && is_standby(c.nodes[n]))
      result.push_back(static_cast<int>(n));
  return result;
}

spare_room spare_of(const instance_size& standard, double factor) {
  return {times(factor, standard.memory), times(factor, standard.cpus)};
}

bool has_room(const placement& p, int node, const node_state& s,
              const spare_room& x) {
  const auto& f = p.facts[at(node)];
  auto is_dense = [&](std::int64_t cpus) {
    return static_cast<double>(cpus + x.cpus) / f.total_cpus > f.vcpu_ratio;
  };
  auto left = p.unallocated(node, s) - x.memory;
  auto becomes_short = !s.short_of_memory && left <= s.reserved;
  return left > 0 && !becomes_short && !is_dense(s.cpus)
         && s.later_memory - x.memory > 0 && !is_dense(s.later_cpus);
}

} // namespace orderly::planning
