// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/round_room.hpp"

#include "actors/planning/roll/round_filler.hpp"

#include <algorithm>

namespace orderly::planning {

round_room::round_room(const placement& p, roll_rules rules)
  : p_(p),
    rules_(rules),
    rivals_(p.states.size()),
    demands_(p.states.size()),
    sources_(p.states.size()),
    shared_memory_(p.states.size()),
    mirrored_(p.states.size()),
    mirrors_(p.states.size()),
    shared_(p.states.size()) {
  for (int n = 0; n < p.node_count(); ++n)
    room_.push_back(p.unallocated(n, p.states[at(n)]) - 1);
  for (int i = 0; i < p.instance_count(); ++i)
    take_instance(i);
  for (int n = 0; n < p.node_count(); ++n) {
    auto& all = rivals_[at(n)];
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const auto& d : demands_[at(n)])
      sources_[at(d.node)].push_back({n, d.memory});
  }
}

void round_room::take_instance(int instance) {
  const auto& x = p_.instances[at(instance)];
  auto where = p_.places[at(instance)];
  if (x.forthcoming || where.primary < 0)
    return;
  if (x.mirrored && where.secondary >= 0) {
    take_mirrored(instance, where);
    return;
  }
  if (rules_.ignore_non_redundant || rules_.offline_maintenance
      || goes_down(spec_of(p_, instance)) || x.memory == 0)
    return;
  shared_[at(where.primary)].push_back(instance);
  shared_memory_[at(where.primary)] += x.memory;
  has_choice_ = true;
}

void round_room::take_mirrored(int instance, place where) {
  rivals_[at(where.primary)].push_back(where.secondary);
  rivals_[at(where.secondary)].push_back(where.primary);
  if (rules_.offline_maintenance)
    return;
  const auto& x = p_.instances[at(instance)];
  if (x.memory == 0 && !rules_.full_evacuation)
    return;
  mirrored_[at(where.primary)].push_back(instance);
  if (rules_.full_evacuation) {
    mirrors_[at(where.secondary)].push_back(instance);
    has_choice_ = true;
  }
  auto& all = demands_[at(where.primary)];
  auto same = [&](const demand& d) { return d.node == where.secondary; };
  auto found = std::find_if(all.begin(), all.end(), same);
  if (found == all.end())
    all.push_back({where.secondary, x.memory});
  else
    found->memory += x.memory;
}

std::variant<std::vector<round_move>, hindrance>
round_room::place_all(const std::vector<int>& down) const {
  return round_filler{*this, down}.run();
}

} // namespace orderly::planning
