// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/room_left.hpp"

#include "actors/planning/place/filling.hpp"

namespace orderly::planning {

std::int64_t room_left(const cluster& c, int group, const instance_spec& size,
                       const build_options& build) {
  if (c.groups[at(group)].allocation == alloc_policy::unallocable)
    return 0;
  auto with_pattern = c;
  with_pattern.instances.push_back(size);
  placement p{with_pattern, group, build};
  filling_rules rules;
  for (int n = 0; n < p.node_count(); ++n) {
    if (!p.facts[at(n)].online)
      continue;
    if (p.states[at(n)].short_of_memory)
      return 0;
    rules.targets.push_back(n);
  }
  rules.guarded = rules.targets;
  rules.nodes = nodes_needed(size.disks);
  rules.capacity = rules.nodes == 1;
  rules.limit = most_counted;
  filler f{std::move(p), rules};
  // No node to fill is no room.
  if (f.fill(size))
    return 0;
  return static_cast<std::int64_t>(f.result().made.size());
}

} // namespace orderly::planning
