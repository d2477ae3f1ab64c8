// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/group_cut.hpp"

#include <algorithm>

namespace orderly::planning {

group_cuts::group_cuts(const cluster& c)
  : c_(c),
    nodes_(c.groups.size()),
    touching_(c.groups.size()),
    instances_(c.groups.size()) {
  for (std::size_t n = 0; n < c.nodes.size(); ++n)
    nodes_[at(c.nodes[n].group)].push_back(static_cast<int>(n));
  for (std::size_t i = 0; i < c.instances.size(); ++i) {
    const auto& x = c.instances[i];
    if (x.primary < 0)
      continue;
    auto home = c.nodes[at(x.primary)].group;
    touching_[at(home)].push_back(static_cast<int>(i));
    instances_[at(home)].push_back(static_cast<int>(i));
    if (x.secondary < 0)
      continue;
    auto other = c.nodes[at(x.secondary)].group;
    if (other != home)
      touching_[at(other)].push_back(static_cast<int>(i));
  }
}

group_cut group_cuts::of(int group, const std::vector<int>& coming) const {
  group_cut r;
  r.part.groups = c_.groups;
  r.part.tags = c_.tags;
  r.part.policy = c_.policy;
  r.part.template_pools = c_.template_pools;
  r.nodes = nodes_[at(group)];
  // A mirror whose other half is in another group needs that node as well.
  for (auto i : touching_[at(group)])
    for (auto n : {c_.instances[at(i)].primary, c_.instances[at(i)].secondary})
      if (n >= 0 && c_.nodes[at(n)].group != group)
        r.nodes.push_back(n);
  std::sort(r.nodes.begin(), r.nodes.end());
  r.nodes.erase(std::unique(r.nodes.begin(), r.nodes.end()), r.nodes.end());
  auto number = [&](int n) {
    auto found = std::lower_bound(r.nodes.begin(), r.nodes.end(), n);
    return n < 0 ? -1 : static_cast<int>(found - r.nodes.begin());
  };
  for (auto n : r.nodes)
    r.part.nodes.push_back(c_.nodes[at(n)]);
  for (auto i : touching_[at(group)]) {
    auto x = c_.instances[at(i)];
    x.primary = number(x.primary);
    x.secondary = number(x.secondary);
    r.part.instances.push_back(std::move(x));
    r.instances.push_back(i);
  }
  for (auto i : coming) {
    auto x = c_.instances[at(i)];
    x.primary = x.secondary = -1;
    r.part.instances.push_back(std::move(x));
    r.instances.push_back(i);
  }
  return r;
}

} // namespace orderly::planning
