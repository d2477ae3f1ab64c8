// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/bench/bench.hpp"

#include "io/config/loader.hpp"
#include "sim/bench/evaluate.hpp"
#include "sim/lab/drill.hpp"
#include "sim/lab/reaction.hpp"

#include <algorithm>
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

/// Reaction times over many seeds, in milliseconds of virtual time.
struct spread {
  std::string name;
  std::vector<std::int64_t> times;

  [[nodiscard]] std::int64_t at(std::size_t percent) const {
    return times.empty() ? -1 : times[(times.size() - 1) * percent / 100];
  }
};

std::vector<spread> measure_reactions(const settings& rules) {
  constexpr std::uint64_t seeds = 40;
  spread loss{"power loss to last failover submitted", {}};
  spread crash{"crash with power on to power reset", {}};
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    reaction_plan plan;
    plan.world = "made-40-120-2";
    plan.faults = {"power node07 off"};
    if (auto r = measure_reaction(plan, rules, seed); r.last_failover)
      loss.times.push_back(r.last_failover->count());
    plan.faults = {"crash node07"};
    if (auto r = measure_reaction(plan, rules, seed); r.reset)
      crash.times.push_back(r.reset->count());
  }
  std::sort(loss.times.begin(), loss.times.end());
  std::sort(crash.times.begin(), crash.times.end());
  return {loss, crash};
}

void print_speed(const std::vector<figure>& figures, bool json) {
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
      fmt::print("{:<20} {:>6.0f} times real time  {:>9.0f} steps/s  "
                 "({:.0f} h in {:.1f} s, laws {})\n",
                 f.name, speed, rate, f.simulated_s / 3600, f.took_s,
                 f.lawful ? "kept" : "BROKEN");
    first = false;
  }
}

void print_reactions(const std::vector<spread>& spreads, bool json) {
  auto first = true;
  for (const auto& x : spreads) {
    if (json)
      fmt::print("{}{{\"what\":\"{}\",\"runs\":{},\"p50_ms\":{},"
                 "\"p99_ms\":{},\"max_ms\":{}}}",
                 first ? "" : ",", x.name, x.times.size(), x.at(50), x.at(99),
                 x.at(100));
    else
      fmt::print("{:<40} p50 {:>6} ms  max {:>6} ms  ({} seeds, virtual "
                 "time, prompt.toml)\n",
                 x.name, x.at(50), x.at(100), x.times.size());
    first = false;
  }
}

} // namespace

int run_evaluation_bench(bool json) {
  auto all = measure_evaluation();
  auto many = measure_many_tags();
  if (json)
    fmt::print("{{");
  print_evaluation(all, many, json);
  if (json)
    fmt::print("}}\n");
  return 0;
}

int run_bench(const std::string& config, bool json) {
  auto rules = io::load_settings(config);
  if (!rules) {
    fmt::print(stderr, "{}\n", rules.why().text);
    return 2;
  }
  std::vector<figure> figures{
    measure(40, 400, hours{24}),
    measure(200, 2000, hours{6}),
    measure(1000, 10000, hours{1}),
  };
  auto reactions = measure_reactions(*rules);
  auto evaluations = measure_evaluation();
  auto many = measure_many_tags();
  if (json)
    fmt::print("{{\"speed\":[");
  print_speed(figures, json);
  if (json)
    fmt::print("],\"reaction\":[");
  print_reactions(reactions, json);
  if (json)
    fmt::print("],");
  print_evaluation(evaluations, many, json);
  if (json)
    fmt::print("}}\n");
  return 0;
}

} // namespace orderly::sim
