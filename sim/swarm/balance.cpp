// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/swarm/extra.hpp"
#include "sim/swarm/repair.hpp"

namespace orderly::sim {

namespace {

/// A person moves a shared instance to some node of its group.
std::string draw_migration(dice& d, const world_plan& plan) {
  if (plan.instances.empty())
    return {};
  const auto& x = pick(d, plan.instances);
  const auto& to = pick(d, plan.nodes);
  auto group = [&](const node_name& name) {
    for (const auto& node : plan.nodes)
      if (node.name == name)
        return node.group;
    return group_name{};
  };
  if (x.disks != disk_template::sharedfile || to.group != group(x.primary))
    return {};
  return "migrate " + x.name + " " + to.name;
}

} // namespace

story_part draw_balance(std::uint64_t seed, const world_plan& plan,
                        millis faults_for) {
  auto d = dice_for(seed, "balance");
  story_part story;
  if (d.below(3) != 0)
    return story;
  story.sets.emplace_back("balance.enabled", "true");
  story.sets.emplace_back("balance.interval", d.below(2) == 0 ? "1m" : "5m");
  if (d.below(2) == 0)
    story.sets.emplace_back("balance.threshold", "0.01");
  if (d.below(4) == 0)
    story.sets.emplace_back("balance.disk_moves", "false");
  if (d.below(4) == 0)
    story.sets.emplace_back("balance.moves_max", "1");
  constexpr std::uint64_t tries = 12;
  auto span = static_cast<std::uint64_t>(faults_for.count()) / 1000;
  for (std::uint64_t i = 0; i < tries; ++i) {
    auto at = seconds{static_cast<std::int64_t>(d.below(span))};
    if (auto fault = draw_migration(d, plan); !fault.empty())
      story.events.emplace_back(at, std::move(fault));
  }
  return story;
}

} // namespace orderly::sim
