// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about ends and about chance, L1 L2 L5 L6 L7 L8 S24, and shrinking a
// drill that fails.

#include "sim/swarm/swarm.hpp"
#include "tests/mutants/switch.hpp"
#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_end_mutants_test {

using namespace orderly::mutants;

TEST_CASE(
  "laws L1 L8 are broken by a daemon that forgets to arm its deadlines, "
  "and oversees nothing") {
  shows("at 2m crash node3\n"
        "run 90m\n",
        {"deadline-not-armed", "nothing-lasts"}, {"L1", "L8"});
}

TEST_CASE("law L2 is broken by a daemon that never lets the instances of a "
          "fenced node leave") {
  shows("at 2m power node3 off\n"
        "run 60m\n",
        {"offline-forgotten"}, {"L2"});
}

TEST_CASE("law L2 is broken by a daemon that leaves a drained node full") {
  shows("at 2m node node3 drained\n"
        "run 60m\n",
        {"drained-is-well"}, {"L2"});
}

TEST_CASE("law L2 is broken by a daemon that never reinstalls what is lost") {
  shows("at 1m tag instance:tmp1 add ganeti:watcher:autorepair:reinstall\n"
        "at 2m power node5 off\n"
        "run 60m\n",
        {"lost-stays-lost"}, {"L2"});
}

TEST_CASE("law L7 is broken by a daemon that keeps suspensions that are "
          "over") {
  // 1767226200 is ten minutes after the start.
  shows("at 1m tag instance:web4 add "
        "ganeti:watcher:autorepair:suspend:1767226200\n"
        "run 60m\n",
        {"suspensions-stay"}, {"L7"});
}

TEST_CASE("laws L5 and L6 are broken by a daemon in which one hung controller "
          "blocks all power operations") {
  shows("at 1m bmc node2 hang\n"
        "at 2m network node2 cut\n"
        "at 5m power node4 off\n"
        "run 59m\n",
        {"one-hung-blocks-all"}, {"L5", "L6"});
}

TEST_CASE("law S24 is broken by a daemon that rolls real dice") {
  auto text = quick + "at 2m power node3 off\nrun 20m\n";
  SECTION("without the defect two runs are equal") {
    CHECK(run(text).trace_hash == run(text).trace_hash);
  }
  SECTION("with the defect they differ") {
    names real_dice{"real-chance"};
    CHECK(run(text, real_dice).trace_hash != run(text, real_dice).trace_hash);
  }
}

TEST_CASE("a failing drill is shrunk to the faults that make it fail") {
  auto d = sim::parse_drill(quick
                              + "set host_ha.recovery_attempts_max 0\n"
                                "at 1m tag cluster add noise\n"
                                "at 90s instance tmp1 crash\n"
                                "at 2m crash node3\n"
                                "at 3m noded node2 down\n"
                                "at 4m noded node2 up\n"
                                "run 20m\n",
                            "noisy");
  REQUIRE(d.ok());
  auto rules = sim::settings_of(*d, ".");
  REQUIRE(rules.ok());
  defects active{{"act-before-intent"}};
  std::uint32_t runs = 0;
  auto small = sim::shrink(*d, *rules, "S17", runs);
  REQUIRE(small.events.size() == 1);
  CHECK(small.events.front().fault == "crash node3");
  CHECK(runs > 0);
  // What is shown to people breaks the same law when it is read again.
  auto again = sim::parse_drill(small.text, "small");
  REQUIRE(again.ok());
  auto same_rules = sim::settings_of(*again, ".");
  REQUIRE(same_rules.ok());
  auto outcome = sim::play(*again, *same_rules);
  REQUIRE(outcome.broken.size() == 1);
  CHECK(outcome.broken.front().name == "S17");
}

TEST_CASE("a swarm names seed and law and shows a drill that breaks it too") {
  sim::swarm_options options;
  options.nodes = 5;
  options.instances = 10;
  options.faults_for = minutes{30};
  options.quiet_for = minutes{10};
  defects active{{"act-before-intent"}};
  std::optional<sim::swarm_failure> failure;
  std::uint64_t seed = 0;
  while (!failure && seed < 30)
    failure = sim::play_seed(++seed, options);
  REQUIRE(failure);
  CHECK(failure->seed == seed);
  CHECK(failure->law.name == "S17");
  CHECK(failure->law.sentence.find("S17 broken at +") == 0);
  CHECK(failure->step > 0);
  CHECK(failure->shrink_runs > 0);
  auto again = sim::parse_drill(failure->shrunk.text, "shrunk");
  REQUIRE(again.ok());
  CHECK(again->seed == seed);
  CHECK(!again->events.empty());
  CHECK(again->events.size()
        <= sim::draw_run(seed, options).story.events.size());
  auto rules = sim::settings_of(*again, ".");
  REQUIRE(rules.ok());
  auto outcome = sim::play(*again, *rules);
  REQUIRE(!outcome.broken.empty());
  CHECK(outcome.broken.front().name == "S17");
}

TEST_CASE("laws L1 L8 are broken by a daemon that oversees nothing") {
  // One place for activity checks of 60 s: none of eight ends its window.
  shows("world big-40n\n"
        "seed 5\n"
        "set host_ha.activity_parallel_max 1\n"
        "set host_ha.activity_timeout 60s\n"
        "at 2m crash node11\n"
        "at 2m crash node12\n"
        "at 2m crash node13\n"
        "at 2m crash node14\n"
        "at 2m crash node15\n"
        "at 2m crash node16\n"
        "at 2m crash node17\n"
        "at 2m crash node18\n"
        "run 80m\n",
        {"nothing-lasts"}, {"L1", "L8"});
}

TEST_CASE("law L8 is broken by a daemon that asks no node that is recorded "
          "off") {
  shows("set power.rehearsal.interval 0s\n"
        "at 2m orderly node modify --powered=no node3\n"
        "at 1h power node3 off\n"
        "run 130m\n",
        {"recorded-off-is-unasked"}, {"L8"});
}

} // namespace orderly::mutants_end_mutants_test
