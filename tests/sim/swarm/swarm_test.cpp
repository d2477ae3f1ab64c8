// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// That a failing seed is told and shrunk is shown in tests/mutants, where
// there is a daemon that fails.

#include "sim/faults/faults.hpp"
#include "sim/swarm/extra.hpp"
#include "sim/swarm/swarm.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

namespace orderly::swarm_test {

using namespace orderly::sim;

namespace {

swarm_options brief() {
  swarm_options options;
  options.nodes = 5;
  options.instances = 10;
  options.faults_for = minutes{20};
  options.quiet_for = minutes{20};
  return options;
}

} // namespace

TEST_CASE("a seed always means the same run") {
  std::set<std::string> different;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    auto a = draw_run(seed, {});
    auto b = draw_run(seed, {});
    CHECK(a.story.text == b.story.text);
    CHECK(a.plan.nodes.size() == b.plan.nodes.size());
    CHECK(a.plan.instances == b.plan.instances);
    different.insert(a.story.text);
  }
  CHECK(different.size() == 50);
}

TEST_CASE("what a seed means is a drill that can be read") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO(seed);
    auto run = draw_run(seed, {});
    auto d = parse_drill(run.story.text, "drawn");
    REQUIRE(d.ok());
    CHECK(d->world == run.story.world);
    CHECK(d->seed == seed);
    CHECK(d->sets == run.story.sets);
    CHECK(d->length == run.story.length);
    REQUIRE(d->events.size() == run.story.events.size());
    for (std::size_t i = 0; i < d->events.size(); ++i) {
      CHECK(d->events[i].at == run.story.events[i].at);
      CHECK(d->events[i].fault == run.story.events[i].fault);
    }
    // Read again it has the same rules.
    auto rules = settings_of(*d, ".");
    REQUIRE(rules.ok());
    CHECK(rules->storm.settle == run.rules.storm.settle);
    CHECK(rules->storm.percent_max == run.rules.storm.percent_max);
    CHECK(rules->host_ha.check_interval == run.rules.host_ha.check_interval);
    CHECK(rules->budget.fences_per_hour_max
          == run.rules.budget.fences_per_hour_max);
    CHECK(rules->power.levels == run.rules.power.levels);
    CHECK(rules->power.rehearsal_interval
          == run.rules.power.rehearsal_interval);
  }
}

TEST_CASE("no fault of a drawn run comes in its quiet phase") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO(seed);
    swarm_options options;
    auto run = draw_run(seed, options);
    REQUIRE(!run.story.events.empty());
    CHECK(run.story.events.back().at <= options.faults_for);
    CHECK(run.story.length == options.faults_for + options.quiet_for);
    CHECK(
      std::is_sorted(run.story.events.begin(), run.story.events.end(),
                     [](const auto& a, const auto& b) { return a.at < b.at; }));
  }
}

TEST_CASE("drawn runs use many kinds of faults") {
  std::set<std::string> verbs;
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    for (const auto& e : draw_run(seed, {}).story.events) {
      if (is_command_line(e.fault)) {
        auto at = e.fault.find(' ', 8);
        verbs.insert(e.fault.substr(0, at)); // "orderly power"
        continue;
      }
      auto order = parse_fault(e.fault);
      REQUIRE(order.ok());
      verbs.insert(order->verb);
    }
  for (const auto* verb : {"power",
                           "crash",
                           "network",
                           "storage",
                           "bmc",
                           "luxi",
                           "luxi drop-replies",
                           "jobs fail",
                           "daemon",
                           "uplink",
                           "journal",
                           "noded",
                           "queue drain",
                           "tag",
                           "node",
                           "room",
                           "jobs lose",
                           "fail-next",
                           "mirror",
                           "archive",
                           "instance",
                           "helper",
                           "watcher",
                           "pause",
                           "master",
                           "job-durations",
                           "orderly power",
                           "orderly epo",
                           "orderly confirm-off"}) {
    INFO(verb);
    CHECK(verbs.count(verb) == 1);
  }
}

TEST_CASE("what is drawn in addition leaves all else as it was") {
  swarm_options plain;
  plain.extra = false;
  std::size_t richer = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO(seed);
    auto with = draw_run(seed, {}).story;
    auto without = draw_run(seed, plain).story;
    CHECK(with.sets == without.sets);
    CHECK(with.world == without.world);
    richer += with.events.size() > without.events.size() ? 1 : 0;
    std::multiset<std::string> all;
    for (const auto& e : with.events)
      all.insert(render_span(e.at) + " " + e.fault);
    for (const auto& e : without.events)
      CHECK(all.count(render_span(e.at) + " " + e.fault) > 0);
  }
  // A part of the seeds, and not all of them.
  CHECK(richer >= 10);
  CHECK(richer <= 55);
}

TEST_CASE("persons act on nodes that are under treatment") {
  auto plan = *plan_named("small-5n", 1);
  std::set<std::string> seen;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    auto d = dice_for(seed, "persons");
    auto story = draw_persons(d, plan, hours{1});
    REQUIRE(!story.empty());
    for (const auto& [at, what] : story) {
      INFO(what);
      CHECK(at >= millis{0});
      if (is_command_line(what)) {
        CHECK(read_command_line(what).ok());
        seen.insert(what.substr(0, what.find(' ', 14)));
        continue;
      }
      auto order = parse_fault(what);
      REQUIRE(order.ok());
      seen.insert(order->verb + " " + order->what);
    }
  }
  for (const auto* what :
       {"pause on", "pause off", "master ", "node offline", "node returned",
        "orderly power off", "orderly power on", "orderly power cycle",
        "journal fail", "journal slow", "luxi down", "daemon kill"}) {
    INFO(what);
    CHECK(seen.count(what) == 1);
  }
}

TEST_CASE("drawn runs have tags of every sort, and every object has some") {
  std::set<std::string> objects;
  std::set<std::string> sorts;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    for (const auto& e : draw_run(seed, {}).story.events) {
      if (is_command_line(e.fault))
        continue;
      auto order = *parse_fault(e.fault);
      if (order.verb != "tag" || order.what != "add")
        continue;
      objects.insert(order.object.substr(0, order.object.find(':')));
      const std::string prefix = "ganeti:watcher:autorepair:";
      auto ours = order.tag.starts_with(prefix);
      auto rest = ours ? order.tag.substr(prefix.size()) : order.tag;
      sorts.insert(rest.substr(0, rest.find(':'))
                   + (rest == "suspend" ? " for ever" : ""));
    }
  CHECK(objects == std::set<std::string>{"cluster", "group", "instance"});
  for (const auto* sort :
       {"fix-storage", "migrate", "failover", "reinstall", "suspend",
        "suspend for ever", "pending", "result", "sleep", "owner"}) {
    INFO(sort);
    CHECK(sorts.count(sort) == 1);
  }
}

TEST_CASE("the size of a world can be fixed, the rest is still drawn") {
  auto run = draw_run(3, brief());
  CHECK(run.plan.nodes.size() == 5);
  CHECK(run.plan.instances.size() == 10);
  CHECK(draw_run(4, brief()).story.text != run.story.text);
}

TEST_CASE("the real daemon keeps the laws in a few short runs") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    INFO(seed);
    auto failure = play_seed(seed, brief());
    INFO((failure ? failure->law.sentence : std::string{}));
    CHECK(!failure);
  }
}

TEST_CASE("S24: a drawn run has the same trace twice, another seed another") {
  auto a = draw_run(7, brief());
  auto first = play(a.story, a.rules);
  auto second = play(a.story, a.rules);
  CHECK(first.trace_hash == second.trace_hash);
  CHECK(first.steps == second.steps);
  auto b = draw_run(8, brief());
  CHECK(play(b.story, b.rules).trace_hash != first.trace_hash);
}

TEST_CASE("a drill that breaks nothing is not made smaller") {
  auto run = draw_run(2, brief());
  std::uint32_t runs = 0;
  auto same = shrink(run.story, run.rules, "S1", runs);
  CHECK(runs > 0);
  REQUIRE(same.events.size() == run.story.events.size());
  CHECK(same.text == run.story.text);
}

} // namespace orderly::swarm_test
