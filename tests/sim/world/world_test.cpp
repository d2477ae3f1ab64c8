// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/state/lab_state.hpp"
#include "sim/world/dice.hpp"
#include "sim/world/plan.hpp"
#include "sim/world/world.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace orderly::world_test {

using namespace orderly::sim;

namespace {

world three_nodes() {
  world x;
  x.advance(from_ms(1'000'000));
  for (const auto* name : {"node1", "node2", "node3"})
    x.add_node(name);
  x.set_self("node1");
  return x;
}

} // namespace

TEST_CASE("the same seed and name throw the same dice") {
  auto a = dice_for(7, "ports");
  auto b = dice_for(7, "ports");
  auto other = dice_for(7, "disk");
  auto same = 0;
  for (int i = 0; i < 100; ++i) {
    auto x = a.next();
    CHECK(x == b.next());
    same += x == other.next() ? 1 : 0;
  }
  CHECK(same == 0);
}

TEST_CASE("dice stay within their bounds") {
  dice d{1};
  auto hits = 0;
  for (int i = 0; i < 10'000; ++i) {
    CHECK(d.below(6) < 6);
    auto x = d.between(-3, 3);
    CHECK((x >= -3 && x <= 3));
    hits += d.chance(250) ? 1 : 0;
  }
  CHECK(d.below(0) == 0);
  CHECK(hits > 2300);
  CHECK(hits < 2700);
  CHECK_FALSE(d.chance(0));
  CHECK(d.chance(1000));
}

TEST_CASE("a node that loses power stops its instances") {
  auto x = three_nodes();
  REQUIRE(x.start("web1", "node3"));
  CHECK(x.set_power("node3", false));
  CHECK(x.homes("web1").empty());
  CHECK_FALSE(x.alive("node3"));
  CHECK_FALSE(x.set_power("node3", false)); // nothing changes any more
}

TEST_CASE("power brings a node back after its boot time, without instances") {
  auto x = three_nodes();
  x.start("web1", "node3");
  x.set_power("node3", false);
  x.set_power("node3", true);
  CHECK(x.alive("node3"));
  CHECK_FALSE(x.answers("node3"));
  CHECK_FALSE(x.start("web1", "node3"));
  x.advance(x.now() + world::boot_time);
  CHECK(x.answers("node3"));
  CHECK(x.homes("web1").empty());
}

TEST_CASE(
  "a crashed node has power, answers nothing, and lives after a reset") {
  auto x = three_nodes();
  x.start("web1", "node2");
  x.crash("node2");
  CHECK(x.node("node2").powered);
  CHECK_FALSE(x.answers("node2"));
  CHECK(x.homes("web1").empty());
  x.cycle("node2");
  x.advance(x.now() + world::boot_time);
  CHECK(x.answers("node2"));
}

TEST_CASE("a cut network silences a node, but its instances run on") {
  auto x = three_nodes();
  x.start("web1", "node2");
  x.set_management("node2", true);
  CHECK_FALSE(x.answers("node2"));
  CHECK(x.runs_on("web1", "node2"));
  x.set_management("node2", false);
  CHECK(x.answers("node2"));
}

TEST_CASE("our own cut link silences all nodes but our own") {
  auto x = three_nodes();
  x.set_uplink(true);
  CHECK(x.answers("node1"));
  CHECK_FALSE(x.answers("node2"));
  CHECK(x.uplink_cut_since() == x.now());
  x.set_uplink(false);
  CHECK(x.answers("node2"));
}

TEST_CASE("an instance on two nodes is known as a double until one stops") {
  auto x = three_nodes();
  x.start("web1", "node2");
  CHECK(x.doubles().empty());
  x.start("web1", "node3");
  CHECK(x.doubles() == std::set<instance_name>{"web1"});
  x.stop("web1", "node2");
  CHECK(x.doubles().empty());
  CHECK(x.runs_on("web1", "node3"));
  x.start("web1", "node2");
  x.crash("node3");
  CHECK(x.doubles().empty());
}

TEST_CASE("trouble has a beginning and an end, companions do not renew it") {
  auto x = three_nodes();
  auto first = x.now();
  x.set_management("node2", true);
  x.advance(first + seconds{9});
  x.crash("node2");
  REQUIRE(x.troubled().size() == 1);
  CHECK(x.troubled().at("node2") == first);
  x.set_management("node2", false);
  x.cycle("node2");
  CHECK(x.troubled().empty());
}

TEST_CASE("every change is told and counted, no change is not") {
  auto x = three_nodes();
  std::vector<std::string> told;
  x.on_event([&](const std::string& text) { told.push_back(text); });
  auto before = x.version();
  x.set_power("node3", false);
  x.set_power("node3", false);
  x.set_storage("node2", true);
  CHECK(told
        == std::vector<std::string>{"power node3 off", "storage node2 cut"});
  CHECK(x.version() == before + 2);
}

TEST_CASE("time never goes back") {
  auto x = three_nodes();
  auto t = x.now();
  x.advance(t - seconds{1});
  CHECK(x.now() == t);
}

TEST_CASE("a generated cluster is spread evenly and its mirrors fit") {
  auto plan = make_plan(10, 105, 2, 1);
  lab_state lab{plan};
  std::map<node_name, int> primaries;
  std::map<disk_template, int> kinds;
  for (const auto& x : lab.cluster.record().instances) {
    ++primaries[x.primary];
    ++kinds[x.disks];
    CHECK(lab.truth.runs_on(x.name, x.primary));
    if (x.disks != disk_template::drbd)
      continue;
    REQUIRE(x.secondaries.size() == 1);
    CHECK(x.secondaries[0] != x.primary);
    CHECK(lab.cluster.node(x.secondaries[0])->group
          == lab.cluster.node(x.primary)->group);
  }
  for (const auto& [name, count] : primaries)
    CHECK((count == 10 || count == 11));
  CHECK(primaries.size() == 10);
  CHECK(kinds[disk_template::drbd] > 0);
  CHECK(kinds[disk_template::sharedfile] > 0);
  CHECK(kinds[disk_template::plain] > 0);
}

TEST_CASE("every named world exists and an unknown name is explained") {
  for (const auto* name :
       {"small-3n", "small-5n", "two-groups", "big-40n", "made-12-60-3"}) {
    auto plan = plan_named(name, 3);
    REQUIRE(plan.ok());
    CHECK(plan->name == name);
    CHECK(plan->master == plan->nodes.front().name);
    CHECK_FALSE(plan->instances.empty());
    lab_state lab{*plan};
    for (const auto& x : lab.cluster.record().instances) {
      CHECK(lab.cluster.node(x.primary) != nullptr);
      for (const auto& other : x.secondaries)
        CHECK(lab.cluster.node(other) != nullptr);
    }
  }
  for (const auto* name : {"small-9n", "made-1", "made-3-x-1", "made-2-5-3"}) {
    auto plan = plan_named(name, 3);
    REQUIRE_FALSE(plan.ok());
    CHECK(plan.why().text.find("small-3n") != std::string::npos);
  }
}

} // namespace orderly::world_test
