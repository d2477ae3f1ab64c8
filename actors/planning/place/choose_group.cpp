// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/choose_group.hpp"

#include "actors/planning/place/dedicated.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

bool has(const std::vector<int>& all, int x) {
  return std::find(all.begin(), all.end(), x) != all.end();
}

bool is_connected(const node_group& g, const instance_spec& x) {
  return std::all_of(x.networks.begin(), x.networks.end(),
                     [&](const std::string& n) {
                       return std::find(g.networks.begin(), g.networks.end(), n)
                              != g.networks.end();
                     });
}

/// Groups in which there is any node: the others cannot be asked.
std::vector<int> groups_with_nodes(const placement& p) {
  std::vector<int> result;
  for (std::size_t g = 0; g < p.source->groups.size(); ++g) {
    auto any
      = std::any_of(p.node_index.begin(), p.node_index.end(), [&](int n) {
          return p.source->nodes[at(n)].group == static_cast<int>(g);
        });
    if (any)
      result.push_back(static_cast<int>(g));
  }
  return result;
}

std::vector<int> targets_in(const placement& p, int group,
                            const room_rules& rules) {
  auto nodes = nodes_of_group(p, group, {});
  if (!rules.restricted)
    return nodes;
  const auto& good = *rules.restricted;
  nodes.erase(
    std::remove_if(nodes.begin(), nodes.end(),
                   [&](int n) {
                     const auto& name
                       = p.source->nodes[at(p.node_index[at(n)])].name;
                     return std::find(good.begin(), good.end(), name)
                            == good.end();
                   }),
    nodes.end());
  return nodes;
}

group_attempt dedicated_attempt(placement& p, int instance, int nodes,
                                int group, const room_rules& rules) {
  group_attempt result;
  result.group = group;
  const auto& g = p.source->groups[at(group)];
  const auto& spec = spec_of(p, instance);
  if (!is_connected(g, spec)) {
    result.error = "The group " + g.name
                   + " is not connected to a network required by instance "
                   + spec.name;
    return result;
  }
  auto found = allocate_dedicated(p, instance, targets_in(p, group, rules),
                                  nodes, g.policy, rules.ignore_soft);
  if (found)
    result.found = *found;
  else
    result.error = found.why().text;
  return result;
}

group_attempt attempt(placement& p, int instance, int nodes, int group,
                      set_score& scores, global_n1* n1,
                      const room_rules& rules) {
  group_attempt result;
  result.group = group;
  allocation_rules r;
  r.ignore_soft = rules.ignore_soft;
  if (rules.capacity)
    r.is_good = [n1](int i, const outcome& x) { return n1->holds_with(i, x); };
  auto found = allocate(p, instance, spec_of(p, instance),
                        targets_in(p, group, rules), nodes, scores, r);
  if (found)
    result.found = *found;
  else
    result.error = found.why().text;
  return result;
}

} // namespace

group_choice choose_group(placement& p, int instance, int nodes,
                          const std::optional<std::vector<int>>& allowed,
                          const room_rules& rules) {
  group_choice result;
  set_score scores{p, p.all_nodes()};
  std::optional<global_n1> n1;
  if (rules.capacity)
    n1.emplace(p);
  const auto& spec = spec_of(p, instance);
  result.none_allowed = true;
  for (auto g : groups_with_nodes(p)) {
    if (allowed && !has(*allowed, g))
      continue;
    result.none_allowed = false;
    if (rules.dedicated) {
      result.tried.push_back(dedicated_attempt(p, instance, nodes, g, rules));
      continue;
    }
    if (!is_connected(p.source->groups[at(g)], spec)) {
      result.unconnected.push_back(g);
      continue;
    }
    result.tried.push_back(
      attempt(p, instance, nodes, g, scores, n1 ? &*n1 : nullptr, rules));
  }
  auto key = [&](const group_attempt& x) {
    return std::tuple{p.source->groups[at(x.group)].allocation,
                      x.found.best->lost, x.found.best->score};
  };
  for (std::size_t k = result.tried.size(); k-- > 0;) {
    const auto& x = result.tried[k];
    auto usable = x.found.best
                  && p.source->groups[at(x.group)].allocation
                       != alloc_policy::unallocable;
    // Of equals the last group wins.
    if (usable && (!result.best || key(x) < key(result.tried[*result.best])))
      result.best = k;
  }
  return result;
}

group_choice ask_group(placement& p, int instance, int nodes, int group,
                       const room_rules& rules) {
  group_choice result;
  if (rules.dedicated) {
    result.tried.push_back(dedicated_attempt(p, instance, nodes, group, rules));
    if (result.tried.back().found.best)
      result.best = 0;
    return result;
  }
  if (!is_connected(p.source->groups[at(group)], spec_of(p, instance))) {
    result.unconnected.push_back(group);
    return result;
  }
  std::vector<int> members;
  for (auto n : p.all_nodes())
    if (p.source->nodes[at(p.node_index[at(n)])].group == group)
      members.push_back(n);
  set_score scores{p, members};
  std::optional<global_n1> n1;
  if (rules.capacity) {
    n1.emplace(p);
    n1->only(members);
  }
  result.tried.push_back(
    attempt(p, instance, nodes, group, scores, n1 ? &*n1 : nullptr, rules));
  if (result.tried.back().found.best)
    result.best = 0;
  return result;
}

result<allocation_result> allocate_secondary(placement& p, int instance,
                                             const room_rules& rules) {
  auto spec = spec_of(p, instance);
  auto primary = p.places[at(instance)].primary;
  outcome away;
  away.count = 1;
  away.nodes[0] = primary;
  away.states[0] = without_primary(p, primary, p.states[at(primary)], instance);
  make_move(p, {instance, move_kind::failover, -1}, away);
  spec.disks = disk_template::drbd;
  p.resize(instance, spec);
  set_score scores{p, p.all_nodes()};
  allocation_rules r;
  r.ignore_soft = rules.ignore_soft;
  auto group = p.source->nodes[at(p.node_index[at(primary)])].group;
  return allocate_beside(p, instance, spec, primary,
                         targets_in(p, group, rules), scores, r);
}

evacuation
change_group(placement& p, const std::vector<int>& instances,
             const std::vector<int>& groups, const room_rules& rules,
             const std::function<std::string(const group_choice&)>& why) {
  evacuation result;
  auto group_at = [&](int node) {
    return p.source->nodes[at(p.node_index[at(node)])].group;
  };
  std::vector<int> left;
  for (auto i : instances)
    left.push_back(group_at(p.places[at(i)].primary));
  std::vector<int> allowed;
  for (auto g : groups_with_nodes(p))
    if (!has(left, g) && (groups.empty() || has(groups, g)))
      allowed.push_back(g);
  for (auto i : instances) {
    // The question is about one more like it.
    auto twin = p.add_copy(i);
    auto choice = choose_group(p, twin, nodes_needed(spec_of(p, i).disks),
                               allowed, rules);
    if (!choice.best) {
      result.failed.push_back({i, why(choice)});
      continue;
    }
    auto group = choice.tried[*choice.best].group;
    auto found = evacuate_one(p, i, leave::all, group,
                              nodes_of_group(p, group, {}), rules.ignore_soft);
    if (auto* no = std::get_if<std::string>(&found)) {
      result.failed.push_back({i, *no});
      continue;
    }
    auto where = p.places[at(i)];
    result.moved.push_back(
      {i, group_at(where.primary), where, std::get<std::vector<move>>(found)});
  }
  return result;
}

} // namespace orderly::planning
