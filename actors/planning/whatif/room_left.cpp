// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/room_left.hpp"

#include "actors/planning/place/filling.hpp"

#include <algorithm>

namespace orderly::planning {

room_count room_left(const cluster& c, int group, const instance_spec& size,
                     const build_options& build) {
  if (c.groups[at(group)].allocation == alloc_policy::unallocable)
    return {};
  auto with_pattern = c;
  with_pattern.instances.push_back(size);
  placement p{with_pattern, group, build};
  filling_rules rules;
  for (int n = 0; n < p.node_count(); ++n) {
    if (!p.facts[at(n)].online)
      continue;
    if (p.states[at(n)].short_of_memory)
      return {};
    rules.targets.push_back(n);
  }
  rules.guarded = rules.targets;
  rules.nodes = nodes_needed(size.disks);
  rules.capacity = rules.nodes == 1;
  // About three seconds in a large group.
  constexpr std::int64_t places_tried = 1'000'000;
  auto nodes = std::max<std::int64_t>(1, p.node_count());
  auto most = std::clamp<std::int64_t>(places_tried / nodes, 1000, 10'000);
  rules.limit = most;
  filler f{std::move(p), rules};
  // No node to fill is no room.
  if (f.fill(size))
    return {};
  auto count = static_cast<std::int64_t>(f.result().made.size());
  return {count, count < most};
}

} // namespace orderly::planning
