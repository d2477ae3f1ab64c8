// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/crossing.hpp"

#include "actors/planning/moves/labels.hpp"
#include "actors/planning/moves/storage_map.hpp"
#include "actors/planning/place/allocate.hpp"

#include <algorithm>
#include <set>

namespace orderly::planning {

namespace {

bool is_forbidden(const std::vector<std::string>& tags) {
  return std::find(tags.begin(), tags.end(), no_group_moves) != tags.end();
}

bool node_reaches(const node_spec& n, const storage_pool& pool) {
  return !n.pools
         || std::find(n.pools->begin(), n.pools->end(), pool) != n.pools->end();
}

bool has_networks(const node_group& g, const instance_spec& x) {
  return std::all_of(x.networks.begin(), x.networks.end(),
                     [&](const std::string& n) {
                       return std::find(g.networks.begin(), g.networks.end(), n)
                              != g.networks.end();
                     });
}

} // namespace

bool permits(group_moves allowed, crossing_cause cause) {
  switch (cause) {
  case crossing_cause::asked:
    return allowed >= group_moves::asked;
  case crossing_cause::repair:
    return allowed >= group_moves::repair;
  case crossing_cause::evenness:
    return allowed >= group_moves::automatic;
  }
  return false;
}

crossing_map::crossing_map(const cluster& c, crossing_rules rules)
  : c_(c), rules_(rules), forbidden_(is_forbidden(c.tags)) {
  // Only the tags of nodes matter here, and reading those of instances would
  // take most of the time.
  cluster nodes_only;
  nodes_only.tags = c.tags;
  nodes_only.nodes = c.nodes;
  auto tags = read_labels(nodes_only, {});
  demands_ = std::move(tags.migration);
  accepts_ = std::move(tags.accepts);
  any_demand_ = tags.any_migration;
  for (const auto& g : c.groups)
    closed_.push_back(is_forbidden(g.tags));
  nodes_.resize(c.groups.size());
  for (std::size_t n = 0; n < c.nodes.size(); ++n)
    if (!c.nodes[n].offline)
      nodes_[at(c.nodes[n].group)].push_back(static_cast<int>(n));
}

int crossing_map::home(int instance) const {
  auto primary = c_.instances[at(instance)].primary;
  return primary < 0 ? -1 : c_.nodes[at(primary)].group;
}

bool crossing_map::reaches(int node, int instance) const {
  auto pool = pool_of(c_, c_.instances[at(instance)]);
  return !pool || node_reaches(c_.nodes[at(node)], *pool);
}

bool crossing_map::may_come(int node, int instance) const {
  auto from = c_.instances[at(instance)].primary;
  // What starts anew off a dead node does not migrate.
  return !any_demand_ || from < 0 || is_dead(c_.nodes[at(from)])
         || contains_all(accepts_[at(node)], demands_[at(from)]);
}

/// What keeps it where it is, whatever the other group is.
barrier crossing_map::out_of_home(int instance) const {
  const auto& x = c_.instances[at(instance)];
  auto from = home(instance);
  if (!permits(rules_.allowed, rules_.cause))
    return barrier::permission;
  if (forbidden_ || is_forbidden(x.tags) || (from >= 0 && closed_[at(from)]))
    return barrier::tag;
  if (x.excluded)
    return barrier::excluded;
  if (x.disks == disk_template::plain || x.disks == disk_template::file)
    return barrier::own_disks;
  if (x.disks != disk_template::drbd || x.primary < 0)
    return barrier::none;
  if (x.secondary < 0 || c_.nodes[at(x.secondary)].group != from)
    return barrier::apart;
  if (is_dead(c_.nodes[at(x.primary)]) && is_dead(c_.nodes[at(x.secondary)]))
    return barrier::no_copy;
  return barrier::none;
}

barrier crossing_map::into(int instance, int group) const {
  auto held = out_of_home(instance);
  if (held != barrier::none)
    return held;
  const auto& x = c_.instances[at(instance)];
  const auto& g = c_.groups[at(group)];
  const auto& nodes = nodes_[at(group)];
  auto needed = at(nodes_needed(x.disks));
  if (closed_[at(group)])
    return barrier::tag;
  if (g.allocation == alloc_policy::unallocable)
    return barrier::unallocable;
  if (nodes.size() < needed)
    return barrier::no_node;
  if (!has_networks(g, x))
    return barrier::network;
  std::size_t allowed = 0;
  std::size_t reached = 0;
  std::size_t open = 0;
  auto pool = pool_of(c_, x);
  auto by_policy = policy_refusal(x, g.policy, false);
  for (auto n : nodes) {
    // The rules for disks on spindles of their own are others.
    auto exclusive = c_.nodes[at(n)].exclusive_storage;
    allowed += exclusive ? !policy_refusal(x, g.policy, true) : !by_policy;
    auto there = !pool || node_reaches(c_.nodes[at(n)], *pool);
    reached += there ? 1 : 0;
    open += there && may_come(n, instance) ? 1 : 0;
    if (open >= needed && allowed >= needed)
      return barrier::none;
  }
  if (allowed < needed)
    return barrier::policy;
  return reached < needed ? barrier::storage : barrier::migration;
}

bool crossing_map::may_leave(int instance) const {
  auto from = home(instance);
  for (int g = 0; g < static_cast<int>(nodes_.size()); ++g)
    if (g != from && may_enter(instance, g))
      return true;
  return false;
}

std::vector<int> crossing_map::nodes_for(int instance, int group) const {
  std::vector<int> result;
  const auto& x = c_.instances[at(instance)];
  auto pinned
    = x.disks == disk_template::plain || x.disks == disk_template::file;
  for (auto n : nodes_[at(group)])
    if (pinned ? n == x.primary : reaches(n, instance) && may_come(n, instance))
      result.push_back(n);
  return result;
}

std::vector<storage_partition> partitions_of(const cluster& c) {
  std::map<storage_pool, storage_partition> all;
  for (const auto& n : c.nodes)
    if (n.pools)
      for (const auto& x : *n.pools)
        all[x].pool = x;
  for (const auto& i : c.instances)
    if (auto x = pool_of(c, i)) {
      auto& part = all[*x];
      part.pool = *x;
      ++part.instances;
      part.memory += i.memory;
    }
  std::vector<storage_partition> result;
  for (auto& [pool, part] : all) {
    std::set<int> groups;
    for (const auto& n : c.nodes)
      if (!n.offline && groups.count(n.group) == 0 && node_reaches(n, pool))
        groups.insert(n.group);
    part.groups.assign(groups.begin(), groups.end());
    result.push_back(std::move(part));
  }
  return result;
}

std::vector<int> lone_groups(const cluster& c,
                             const std::vector<storage_partition>& all) {
  std::vector<bool> has_peer(c.groups.size(), false);
  for (const auto& x : all)
    if (x.groups.size() > 1)
      for (auto g : x.groups)
        has_peer[at(g)] = true;
  std::vector<int> result;
  for (std::size_t g = 0; g < has_peer.size(); ++g)
    if (!has_peer[g])
      result.push_back(static_cast<int>(g));
  return result;
}

} // namespace orderly::planning
