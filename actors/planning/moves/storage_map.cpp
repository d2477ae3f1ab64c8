// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/moves/storage_map.hpp"

#include <algorithm>

namespace orderly::planning {

std::optional<storage_pool> pool_of(const cluster& c, const instance_spec& x) {
  if (x.disks == disk_template::diskless)
    return std::nullopt;
  if (x.storage)
    return x.storage;
  auto found = c.template_pools.find(x.disks);
  if (found != c.template_pools.end())
    return found->second;
  return derived_pool(x.disks);
}

storage_map::storage_map(const cluster& c, const std::vector<int>& nodes,
                         const std::vector<int>& instances) {
  any_ = std::any_of(nodes.begin(), nodes.end(),
                     [&](int n) { return c.nodes[at(n)].pools.has_value(); });
  if (!any_)
    return;
  auto note = [this](const storage_pool& x) { numbers_.emplace(x, 0); };
  for (auto n : nodes)
    if (const auto& pools = c.nodes[at(n)].pools)
      std::for_each(pools->begin(), pools->end(), note);
  for (auto i : instances)
    if (auto x = pool_of(c, c.instances[at(i)]))
      note(*x);
  for (auto t : disk_templates)
    if (auto x = derived_pool(t))
      note(*x);
  for (const auto& [t, x] : c.template_pools)
    note(x);
  int next = 0;
  for (auto& [x, number] : numbers_)
    number = next++;
  for (auto n : nodes) {
    const auto& pools = c.nodes[at(n)].pools;
    reached_.emplace_back(numbers_.size(), !pools);
    if (pools)
      for (const auto& x : *pools)
        reached_.back()[at(number_of(x))] = true;
  }
  for (auto i : instances)
    wanted_.push_back(number_of(pool_of(c, c.instances[at(i)])));
}

int storage_map::number_of(const std::optional<storage_pool>& x) const {
  return x ? numbers_.at(*x) : -1;
}

void storage_map::add_copy(int instance) {
  if (any_)
    wanted_.push_back(wanted_[at(instance)]);
}

void storage_map::change(int instance, const cluster& c,
                         const instance_spec& x) {
  if (any_)
    wanted_[at(instance)] = number_of(pool_of(c, x));
}

} // namespace orderly::planning
