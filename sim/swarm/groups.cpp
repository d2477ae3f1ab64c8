// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/swarm/groups.hpp"

#include "sim/world/dice.hpp"

#include <fmt/format.h>

namespace orderly::sim {

std::map<group_name, std::vector<std::string>>
draw_groups(std::uint64_t seed, const world_plan& plan) {
  auto d = dice_for(seed, "groups");
  std::map<group_name, std::vector<std::string>> result;
  if (d.below(4) != 0)
    return result;
  for (const auto& group : plan.groups) {
    std::vector<std::string> own;
    if (d.below(2) == 0)
      own.push_back(fmt::format("check_timeout = {}s", 3 + d.below(13)));
    if (d.below(3) == 0)
      own.push_back(fmt::format("recovery_wait = {}s", 60 + d.below(900)));
    if (d.below(3) == 0)
      own.push_back(fmt::format("activity_checks = {}", 3 + d.below(8)));
    if (d.below(3) == 0)
      own.push_back(fmt::format("activity_timeout = {}s", 1 + d.below(9)));
    if (!own.empty())
      result[group.name] = std::move(own);
  }
  return result;
}

} // namespace orderly::sim
