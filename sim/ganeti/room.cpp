// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where instances are placed in the simulated Ganeti, what room is left, and
// how its allocator picks nodes.

#include "sim/ganeti/ganeti.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

/// On the disks of its own nodes.
bool is_local(disk_template x) {
  return x != disk_template::diskless && !is_external(x);
}

std::int64_t disk_size(const instance_record& x) {
  std::int64_t sum = 0;
  for (auto size : x.disks_mib)
    sum += size;
  return sum;
}

} // namespace

/// Adds the weight of `x` to its nodes, or takes it away.
void ganeti::count_place(const instance_record& x, int sign) {
  primaries_[x.primary] += static_cast<std::uint32_t>(sign);
  if (!is_local(x.disks))
    return;
  stock_[x.primary].disk_used += sign * disk_size(x);
  for (const auto& name : x.secondaries)
    stock_[name].disk_used += sign * disk_size(x);
}

void ganeti::place(instance_record& x, const node_name& primary,
                   const std::vector<node_name>& secondaries) {
  count_place(x, -1);
  x.primary = primary;
  x.secondaries = secondaries;
  count_place(x, 1);
  touch();
}

node_room ganeti::room(const node_name& name) const {
  node_room result;
  result.name = name;
  auto i = stock_.find(name);
  if (i == stock_.end() || i->second.full)
    return result;
  result.memory_mib = i->second.memory_mib;
  result.disk_mib
    = std::max<std::int64_t>(0, i->second.disk_mib - i->second.disk_used);
  for (const auto& running : truth_.node(name).running)
    if (const auto* x = instance(running))
      result.memory_mib -= x->memory_mib;
  result.memory_mib = std::max<std::int64_t>(0, result.memory_mib);
  return result;
}

bool ganeti::in_service(const node_name& name) const {
  const auto* x = node(name);
  return x && !x->offline && !x->drained && x->vm_capable && answers(name);
}

bool ganeti::fits(const instance_record& x, const node_name& where, bool memory,
                  bool disks) const {
  auto left = room(where);
  return (!memory || left.memory_mib >= x.memory_mib)
         && (!disks || !is_local(x.disks) || left.disk_mib >= disk_size(x));
}

/// The `count` nodes in service in the group of `x`, none of its own, that
/// have the fewest primaries and the room; empty if there are not so many.
std::vector<node_name> ganeti::pick(const instance_record& x, std::size_t count,
                                    bool memory, bool disks) const {
  const auto& home = *node(x.primary);
  std::vector<std::pair<std::uint32_t, node_name>> fit;
  for (const auto& n : record_.nodes) {
    if (n.group != home.group || n.name == x.primary || !in_service(n.name)
        || std::count(x.secondaries.begin(), x.secondaries.end(), n.name) > 0
        || !fits(x, n.name, memory, disks))
      continue;
    auto i = primaries_.find(n.name);
    fit.emplace_back(i == primaries_.end() ? 0 : i->second, n.name);
  }
  if (fit.size() < count)
    return {};
  std::sort(fit.begin(), fit.end());
  std::vector<node_name> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(fit[i].second);
  return result;
}

/// The copy of a mirror on `to` lacks what the other one has.
bool ganeti::lags(const instance_record& x, const node_name& to) const {
  return truth_.faulty_mirror(x.name) == to || !truth_.in_step(x.name);
}

std::vector<disk_fault> ganeti::mirror_fault(const instance_record& x) const {
  if (x.disks != disk_template::drbd || x.secondaries.empty())
    return {};
  const auto& other = x.secondaries.front();
  auto faulty = truth_.faulty_mirror(x.name);
  // How its own disk is a node knows without its peer.
  auto degraded_on = [&](const node_name& node) {
    return std::vector<disk_fault>{{"disk/0", faulty == node, node}};
  };
  // Whoever is left has lost its peer.
  if (!answers(x.primary))
    return answers(other) ? degraded_on(other) : std::vector<disk_fault>{};
  if (!answers(other))
    return degraded_on(x.primary);
  // A mirror that has diverged says no more than one that is cut off.
  if (truth_.diverged(x.name) || !truth_.replicates(x.primary, other))
    return degraded_on(x.primary);
  if (faulty.empty())
    return {};
  // Its home's own disk is told from a connection that is lost.
  return {{"disk/0", faulty == x.primary && !truth_.syncs(x.name), faulty,
           truth_.syncs(x.name)}};
}

} // namespace orderly::sim
