// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/bench.hpp"

#include "sim/drill.hpp"

#include <chrono>

#include <fmt/format.h>

namespace orderly::sim {

namespace {

struct figure {
  std::string name;
  std::uint32_t nodes;
  std::uint32_t instances;
  double simulated_s;
  double took_s;
  std::uint64_t steps;
  bool lawful;
};

/// A cluster that loses a node every few minutes, laws on.
figure measure(std::uint32_t nodes, std::uint32_t instances, millis span) {
  drill d;
  d.world
    = fmt::format("made-{}-{}-{}", nodes, instances, std::max(1U, nodes / 20));
  auto plan = *plan_named(d.world, 1);
  d.length = span;
  for (millis at = minutes{5}; at + minutes{10} < span; at += minutes{30}) {
    const auto& node
      = plan
          .nodes[static_cast<std::size_t>(
            1 + (at / minutes{30}) % (static_cast<std::int64_t>(nodes) - 1))]
          .name;
    d.events.push_back({at, "power " + node + " off"});
    d.events.push_back({at + minutes{20}, "power " + node + " on"});
    d.events.push_back({at + minutes{20}, "node " + node + " online"});
  }
  settings rules;
  rules.autorepair.enabled = true;
  using wall = std::chrono::steady_clock;
  auto begin = wall::now();
  auto outcome = play(d, rules);
  auto took = std::chrono::duration<double>(wall::now() - begin).count();
  for (const auto& law : outcome.broken)
    fmt::print(stderr, "{}: law {}: {}\n", d.world, law.name, law.sentence);
  return {d.world,
          nodes,
          instances,
          std::chrono::duration<double>(span).count(),
          took,
          outcome.steps,
          outcome.broken.empty()};
}

} // namespace

int run_bench(bool json) {
  std::vector<figure> figures{
    measure(40, 400, hours{24}),
    measure(200, 2000, hours{6}),
    measure(1000, 10000, hours{1}),
  };
  if (json)
    fmt::print("[");
  auto first = true;
  for (const auto& f : figures) {
    auto speed = f.simulated_s / f.took_s;
    auto rate = static_cast<double>(f.steps) / f.took_s;
    if (json)
      fmt::print("{}{{\"world\":\"{}\",\"nodes\":{},\"instances\":{},"
                 "\"times_real\":{:.0f},\"steps_per_s\":{:.0f},"
                 "\"lawful\":{}}}",
                 first ? "" : ",", f.name, f.nodes, f.instances, speed, rate,
                 f.lawful);
    else
      fmt::print("{:<16} {:>6.0f} times real time  {:>9.0f} steps/s  "
                 "({:.0f} h in {:.1f} s, laws on)\n",
                 f.name, speed, rate, f.simulated_s / 3600, f.took_s);
    first = false;
  }
  if (json)
    fmt::print("]\n");
  return 0;
}

} // namespace orderly::sim
