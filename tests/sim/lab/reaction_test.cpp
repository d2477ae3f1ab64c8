// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The promises of configs/examples/prompt.toml, kept for many seeds.

#include "io/config/loader.hpp"
#include "sim/lab/reaction.hpp"

#include <catch2/catch.hpp>

namespace orderly::lab_reaction_test {

namespace {

settings prompt() {
  auto s = io::load_settings(std::string{ORDERLY_SOURCE_DIR}
                             + "/configs/examples/prompt.toml");
  REQUIRE(s.ok());
  return *s;
}

constexpr std::uint64_t seeds = 25;

} // namespace

TEST_CASE("power loss with a readable controller: failovers within 15 s") {
  auto rules = prompt();
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    sim::reaction_plan plan;
    plan.world = "made-40-120-2";
    plan.faults = {"power node07 off"};
    auto r = sim::measure_reaction(plan, rules, seed);
    INFO("seed " << seed);
    REQUIRE(r.first_failover);
    CHECK(*r.first_failover <= seconds{15});
    CHECK(*r.last_failover <= seconds{15});
    CHECK(r.broken_laws == 0);
  }
}

TEST_CASE("a crash with power on: reset within 40 s") {
  auto rules = prompt();
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    sim::reaction_plan plan;
    plan.world = "made-40-120-2";
    plan.faults = {"crash node07"};
    auto r = sim::measure_reaction(plan, rules, seed);
    INFO("seed " << seed);
    REQUIRE(r.reset);
    CHECK(*r.reset <= seconds{40});
    CHECK_FALSE(r.first_failover);
    CHECK(r.broken_laws == 0);
  }
}

TEST_CASE("a network cut of 30 s leads to no fence and no reset") {
  auto rules = prompt();
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    sim::reaction_plan plan;
    plan.world = "made-40-120-2";
    plan.faults = {"network node07 cut", "storage node07 cut"};
    plan.heals = {"network node07 heal", "storage node07 heal"};
    plan.heal_after = seconds{30};
    auto r = sim::measure_reaction(plan, rules, seed);
    INFO("seed " << seed);
    CHECK(r.power_acts == 0);
    CHECK_FALSE(r.first_failover);
    CHECK(r.broken_laws == 0);
  }
}

TEST_CASE("30 % of the nodes gone within 5 s: no fence and one alert") {
  auto rules = prompt();
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    sim::reaction_plan plan;
    plan.world = seed % 2 == 0 ? "made-10-30-1" : "made-40-120-2";
    plan.spread = seconds{5};
    auto nodes = seed % 2 == 0 ? 10 : 40;
    for (int i = 0; i < nodes * 3 / 10; ++i)
      plan.faults.push_back("power node" + std::string{i + 2 < 10 ? "0" : ""}
                            + std::to_string(i + 2) + " off");
    auto r = sim::measure_reaction(plan, rules, seed);
    INFO("seed " << seed);
    CHECK(r.power_acts == 0);
    CHECK_FALSE(r.first_failover);
    CHECK(r.alerts == 1);
    CHECK(r.broken_laws == 0);
  }
}

} // namespace orderly::lab_reaction_test
