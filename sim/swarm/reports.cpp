// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/swarm/extra.hpp"
#include "sim/swarm/repair.hpp"

namespace orderly::sim {

namespace {

using texts = std::vector<std::string>;

/// Of a node that has trouble.
const texts asked{R"({"status": "evacuate"})",
                  R"({"status": "evacuate", "disk": "sdb"})",
                  R"({"status": "evacuate-failover"})",
                  R"({"status": "live-repair", "command": "reseat"})"};

/// What may come of it later.
const texts later{"ok",
                  "ok",
                  "silent",
                  "failed",
                  "unverified",
                  R"({"status": "evacuate-failover"})",
                  R"({"status": "evacuate", "disk": "sdc"})"};

} // namespace

story_part draw_reports(std::uint64_t seed, const world_plan& plan,
                        millis faults_for) {
  auto d = dice_for(seed, "reports");
  story_part story;
  if (d.below(3) != 0)
    return story;
  story.sets.emplace_back("maintenance.mode", "act");
  story.sets.emplace_back("maintenance.interval",
                          d.below(2) == 0 ? "10s" : "1m");
  if (d.below(4) == 0)
    story.sets.emplace_back("maintenance.moves_parallel_max", "1");
  auto span = static_cast<std::uint64_t>(faults_for.count()) / 1000;
  for (auto i = 1 + d.below(4); i > 0; --i) {
    const auto& node = pick(d, plan.nodes).name;
    auto at = seconds{static_cast<std::int64_t>(d.below(span))};
    story.events.emplace_back(at, "report " + node + " " + pick(d, asked));
    for (auto n = d.below(3); n > 0; --n) {
      at += seconds{static_cast<std::int64_t>(1 + d.below(600))};
      if (at < faults_for)
        story.events.emplace_back(at, "report " + node + " " + pick(d, later));
    }
  }
  return story;
}

} // namespace orderly::sim
