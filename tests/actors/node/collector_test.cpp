// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Health and activity checks, so many at once and so many waiting. A check
// that did not run says "unknown" and nothing else.

#include "actors/node/collector.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::node_collector_test {

namespace {

settings with(std::uint32_t parallel_max, std::uint32_t queued_max) {
  settings s;
  s.host_ha.probes_parallel_max = parallel_max;
  s.host_ha.probes_queued_max = queued_max;
  s.host_ha.activity_parallel_max = parallel_max;
  s.host_ha.activity_queued_max = queued_max;
  return s;
}

struct rig {
  explicit rig(settings rules) : on(std::move(rules)) {
    actor
      = on.enter(collector, on.ctx(), on.keep(spawn_fake(on.system(), port)));
    port->health.answer = [](const probe_request& q) {
      return says(sighting{q.node, health::unhealthy, "1811 refused", {}},
                  seconds{1});
    };
    port->activity.answer = [](const activity_request& q) {
      return says(activity_answer{q.node, activity::active, "disk", {}},
                  seconds{1});
    };
    on.settle();
  }

  pending<sighting> probe(const node_name& node) {
    return on.ask<sighting>(actor, probe_request{node, node, seconds{10}});
  }

  pending<activity_answer> activity_of(const node_name& node) {
    return on.ask<activity_answer>(
      actor, activity_request{node, node, {}, on.now(), seconds{60}});
  }

  std::shared_ptr<probe_fake> port = std::make_shared<probe_fake>();
  stage on;
  collector_actor actor;
};

} // namespace

TEST_CASE("no more health checks run at once than the rules allow") {
  rig b{with(2, 100)};
  std::vector<pending<sighting>> all;
  for (const auto* node : {"node1", "node2", "node3", "node4", "node5"})
    all.push_back(b.probe(node));
  CHECK(b.port->health.asked.size() == 2);
  b.on.run_for(seconds{1});
  CHECK(b.port->health.asked.size() == 4);
  CHECK(all[1]);
  CHECK_FALSE(all[2]);
  b.on.run_for(seconds{2});
  REQUIRE(all[4]);
  CHECK(all[4]->node == "node5");
  CHECK(all[4]->verdict == health::unhealthy);
  CHECK(all[4]->at == b.on.now());
}

TEST_CASE("a check that is not admitted is answered at once as not looked") {
  rig b{with(1, 2)};
  b.probe("node1");
  auto first = b.probe("node2");
  auto second = b.probe("node3");
  auto third = b.probe("node4");
  REQUIRE(third);
  CHECK(third->node == "node4");
  CHECK(third->verdict == health::not_looked);
  CHECK(third->evidence == not_admitted);
  CHECK_FALSE(first);
  b.on.run_for(seconds{5});
  CHECK(second);
  CHECK(b.port->health.asked.size() == 3);
  CHECK_FALSE(b.probe("node5")); // there is room again: it runs
  CHECK(b.port->health.asked.size() == 4);
}

TEST_CASE("activity checks have a bound of their own") {
  rig b{with(1, 1)};
  b.port->health.answer
    = [](const probe_request&) { return reply<sighting>{}; };
  b.probe("node1");
  auto running = b.activity_of("node1");
  auto waiting = b.activity_of("node2");
  auto refused = b.activity_of("node3");
  REQUIRE(refused);
  CHECK(refused->verdict == activity::not_looked);
  CHECK(refused->evidence == not_admitted);
  b.on.run_for(seconds{2});
  REQUIRE(running);
  CHECK(running->verdict == activity::active);
  CHECK(waiting);
}

TEST_CASE("a check that hangs is no look, and makes room") {
  rig b{with(1, 10)};
  b.port->health.answer = [](const probe_request& q) {
    if (q.node == "node1")
      return reply<sighting>{};
    return says(sighting{q.node, health::healthy, {}, {}});
  };
  auto hung = b.probe("node1");
  auto next = b.probe("node2");
  b.on.run_for(seconds{14});
  CHECK_FALSE(hung);
  CHECK_FALSE(next);
  b.on.run_for(seconds{1});
  REQUIRE(hung);
  CHECK(hung->verdict == health::not_looked);
  CHECK(hung->evidence == "the check did not answer");
  REQUIRE(next);
  CHECK(next->verdict == health::healthy);
}

TEST_CASE("the node that was checked longest ago goes first, and those refused "
          "before it are not refused again") {
  rig b{with(1, 1)};
  b.probe("node1");
  b.on.run_for(seconds{2});
  b.probe("node2");
  b.on.run_for(seconds{2});
  // Two have room: node3, which nobody has checked, takes one from node2.
  b.probe("node1");
  auto second = b.probe("node2");
  auto third = b.probe("node3");
  REQUIRE(second);
  CHECK(second->verdict == health::not_looked);
  CHECK(second->evidence == not_admitted);
  CHECK_FALSE(third);
  b.on.run_for(seconds{2});
  REQUIRE(third);
  CHECK(third->verdict == health::unhealthy);
}

TEST_CASE("nodes that were silent last leave half of the room to others") {
  rig b{with(2, 100)};
  for (const auto* node : {"node1", "node2", "node3"}) {
    b.probe(node);
    b.on.run_for(seconds{2});
  }
  b.port->health.answer
    = [](const probe_request&) { return reply<sighting>{}; };
  b.port->health.asked.clear();
  for (const auto* node : {"node1", "node2", "node3", "node4"})
    b.probe(node);
  REQUIRE(b.port->health.asked.size() == 2);
  CHECK(b.port->health.asked[0].node == "node1");
  CHECK(b.port->health.asked[1].node == "node4");
}

TEST_CASE("a look before an act gets in where all places are taken") {
  rig b{with(1, 1)};
  b.probe("node1");
  auto waiting = b.probe("node2");
  probe_request look{"node3", "node3", seconds{10}};
  look.last_look = true;
  auto answer = b.on.ask<sighting>(b.actor, look);
  REQUIRE(waiting);
  CHECK(waiting->evidence == not_admitted);
  b.on.run_for(seconds{2});
  REQUIRE(answer);
  CHECK(answer->verdict == health::unhealthy);
}

TEST_CASE("our own node is no witness, whether its name is written short or in "
          "full") {
  auto rules = with(4, 10);
  rules.leader.own_node = GENERATE("n1", "n1.example", "N1.example");
  rig b{rules};
  b.port->health.answer = [](const probe_request& q) {
    auto own = q.node == "n1.example";
    return says(
      sighting{q.node, own ? health::healthy : health::unhealthy, "1811", {}});
  };
  auto record = std::make_shared<cluster_record>();
  record->master = "n2.example";
  for (const char* name : {"n1.example", "n2.example", "n3.example"}) {
    node_record x;
    x.name = name;
    record->nodes.push_back(x);
  }
  b.on.tell(b.actor, picture_news{record, {}, 0});
  probe_request question{"n3.example", "n3", seconds{10}};
  question.last_look = true;
  auto seen = b.on.ask<sighting>(b.actor, question);
  b.on.run_for(seconds{1});
  REQUIRE(seen);
  CHECK(seen->alone);
  CHECK(seen->verdict == health::not_looked);
}

} // namespace orderly::node_collector_test
