// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/what_if.hpp"
#include "tests/support/planning/nodes_with.hpp"
#include "tests/support/planning/what_if_asked.hpp"

#include <catch2/catch.hpp>

namespace orderly::whatif_test {

using namespace orderly::planning;

namespace {

/// Beside the group of nodes_with() an empty one, h, of so many nodes.
cluster with_second_group(cluster c, int nodes) {
  c.groups.push_back({"h", "v", {}, {}, {}, {}});
  for (int k = 0; k < nodes; ++k) {
    auto n = samples::nodes_with({{}}).nodes.front();
    n.name = "h" + std::to_string(k);
    n.group = 1;
    c.nodes.push_back(n);
  }
  return c;
}

instance_spec& mirror(cluster& c, int instance, int to) {
  auto& x = c.instances[at(instance)];
  x.disks = disk_template::drbd;
  x.secondary = to;
  x.disk = 10;
  return x;
}

change_set drain(const std::string& node) {
  change_set x;
  x.drained.push_back({false, node});
  return x;
}

std::string refused(const cluster& c, const change_set& x) {
  auto r = what_if(c, x, {});
  REQUIRE_FALSE(r);
  return r.why().text;
}

bool says(const std::string& text, const std::string& what) {
  INFO(text);
  return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("a change that asks for no move leaves a cluster well") {
  auto c = samples::nodes_with({{1000}, {}, {}});
  CHECK(ask(c, {}).is == verdict::well);
  auto r = ask(c, lose("n2"));
  CHECK(r.is == verdict::well);
  CHECK(r.steps.empty());
  CHECK(r.before.front().nodes == 3);
  CHECK(r.after.front().nodes == 2);
}

TEST_CASE("what was on a lost node starts on another, and nothing is copied") {
  auto c = samples::nodes_with({{1000, 2000}, {}, {}});
  auto r = ask(c, lose("n0"));
  CHECK(r.is == verdict::after_moves);
  CHECK(r.steps.size() == 2);
  CHECK(r.moved.copied == 0);
  for (const auto& i : r.now.instances)
    CHECK(i.primary > 0);
}

TEST_CASE("what leaves a drained node takes its memory along") {
  auto c = samples::nodes_with({{1000, 2000}, {}, {}});
  auto r = ask(c, drain("n0"));
  CHECK(r.is == verdict::after_moves);
  CHECK(r.moved.copied == 3000);
  // Both leave the one node, whoever takes them.
  CHECK(r.moved.busiest == 3000);
}

TEST_CASE("a mirror on a lost node is made anew elsewhere, with all its disk") {
  auto c = samples::nodes_with({{1000}, {}, {}});
  mirror(c, 0, 1);
  auto r = ask(c, lose("n1"));
  CHECK(r.is == verdict::after_moves);
  REQUIRE(r.steps.size() == 1);
  CHECK(r.steps[0].to == place{0, 2});
  CHECK(r.moved.copied == 10);
  // The mirror takes over first, and needs another one then.
  r = ask(c, lose("n0"));
  CHECK(r.is == verdict::after_moves);
  REQUIRE(r.steps.size() == 2);
  CHECK(r.steps[1].to == place{1, 2});
}

TEST_CASE("of what has no living copy it is said that it is lost") {
  auto c = samples::nodes_with({{1000, 1000, 1000}, {}, {}});
  c.instances[0].disks = disk_template::plain;
  c.instances[1].disks = disk_template::file;
  auto r = ask(c, lose("n0"));
  CHECK(r.is == verdict::not_well);
  CHECK(r.lost_instances == std::vector<int>{0, 1});
  CHECK(r.stuck.empty());
  CHECK(r.now.instances.size() == 1);
  auto both = lose("n0");
  both.lost.push_back({false, "n1"});
  mirror(c, 2, 1);
  CHECK(ask(c, both).lost_instances == std::vector<int>{0, 1, 2});
  CHECK(ask(c, lose("n0")).lost_instances == std::vector<int>{0, 1});
}

TEST_CASE("plain disks hold an instance on a drained node, which is said") {
  auto c = samples::nodes_with({{1000}, {}, {}});
  c.instances[0].disks = disk_template::plain;
  auto r = ask(c, drain("n0"));
  CHECK(r.is == verdict::not_well);
  CHECK(r.lost_instances.empty());
  REQUIRE(r.stuck.size() == 1);
  CHECK(r.stuck[0].kind == stuck_kind::own_disks);
  CHECK(has_room_for_all(r));
}

TEST_CASE("where there is no room an instance is stuck, with the reason") {
  auto c = samples::nodes_with({{5000}, {6000}, {6000}});
  auto r = ask(c, lose("n0"));
  CHECK(r.is == verdict::not_well);
  REQUIRE(r.stuck.size() == 1);
  CHECK(r.stuck[0].kind == stuck_kind::no_room);
  CHECK(says(r.stuck[0].why, "too little memory (2 nodes)"));
  CHECK_FALSE(has_room_for_all(r));
  CHECK(r.steps.empty());
}

TEST_CASE("who cannot reach the volumes is no place to go") {
  auto c = samples::nodes_with({{1000}, {}, {}});
  c.nodes[1].pools = c.nodes[2].pools = std::vector<storage_pool>{};
  auto r = ask(c, drain("n0"));
  REQUIRE(r.stuck.size() == 1);
  CHECK(r.stuck[0].kind == stuck_kind::storage);
}

TEST_CASE("a group that loses cover is not well, and what is missing is said") {
  // Two that stay hold 6000 each: none of them could be lost.
  auto c = samples::nodes_with({{}, {3000, 3000}, {3000, 3000}});
  CHECK(ask(c, {}).is == verdict::well);
  auto r = ask(c, lose("n0"));
  CHECK(r.is == verdict::not_well);
  REQUIRE(r.after.front().uncovered.size() == 2);
  CHECK(r.after.front().uncovered[0] == node_lack{1, 3000});
}

TEST_CASE("N+1 that moves can mend is mended by few of them") {
  // n1 keeps 6000 for n0 and has 5000 left.
  auto c = samples::nodes_with({{3000, 3000}, {5000}, {}, {}});
  mirror(c, 0, 1);
  mirror(c, 1, 1);
  auto r = ask(c, {});
  REQUIRE(r.before.front().short_of.size() == 1);
  CHECK(r.before.front().short_of[0] == node_lack{1, 1001});
  CHECK(r.is == verdict::after_moves);
  CHECK(r.steps.size() == 1);
  CHECK(r.after.front().is_well());
}

TEST_CASE("new instances get places that keep N+1, and the rest is counted") {
  auto c = samples::nodes_with({{}, {}, {}});
  change_set x;
  x.grown.push_back(small(6, disk_template::ext));
  auto r = ask(c, x);
  CHECK(r.is == verdict::well);
  CHECK(r.created == 6);
  CHECK(r.now.instances.size() == 6);
  CHECK(r.now.nodes[0].free_memory == 8000);
  x.grown[0].count = 30;
  r = ask(c, x);
  CHECK(r.is == verdict::not_well);
  REQUIRE(r.unplaced.size() == 1);
  CHECK(r.created + r.unplaced[0].what.count == 30);
  CHECK(r.unplaced[0].failures[static_cast<std::size_t>(failure::n1)] > 0);
  // Nine on each of two nodes, and a third that could die, less what N+1 needs.
  CHECK(r.created == 18);
  CHECK(r.after.front().is_well());
}

TEST_CASE("equal new instances are one wish, however they are written") {
  auto c = samples::nodes_with({{}, {}});
  change_set x;
  x.grown = {small(2, disk_template::ext), small(1, disk_template::ext)};
  auto r = apply(c, x);
  REQUIRE(r);
  REQUIRE(r->wanted.size() == 1);
  CHECK(r->wanted[0].count == 3);
}

TEST_CASE("instances of no group go to preferred ones first") {
  auto c = with_second_group(samples::nodes_with({{}, {}, {}}), 3);
  c.groups[0].allocation = alloc_policy::last_resort;
  change_set x;
  x.grown.push_back(small(3, disk_template::ext));
  for (const auto& i : ask(c, x).now.instances)
    CHECK(i.primary >= 3);
  c.groups[1].allocation = alloc_policy::unallocable;
  for (const auto& i : ask(c, x).now.instances)
    CHECK(i.primary < 3);
}

TEST_CASE("new nodes are like another one without what is on it") {
  auto c = samples::nodes_with({{4000, 4000}, {4000, 4000}});
  change_set x;
  x.added.push_back({1, "n0", 0, 0, 0, {}});
  x.added.push_back({1, {}, 5000, 100, 4, "g"});
  auto r = ask(c, x);
  CHECK(r.added == std::vector<int>{2, 3});
  CHECK(r.now.nodes[2].total_memory == 5000);
  CHECK(r.now.nodes[3].name == "new-node-2");
  CHECK(r.now.nodes[3].total_memory == 10'000);
  CHECK(ask(c, {}).is == verdict::not_well);
  CHECK(r.is != verdict::not_well);
}

TEST_CASE("a replaced node makes a cluster well that its loss does not") {
  auto c = samples::nodes_with({{3000, 3000}, {3000, 3000}, {}});
  auto x = lose("n2");
  CHECK(ask(c, x).is == verdict::not_well);
  x.added.push_back({1, "n2", 0, 0, 0, {}});
  CHECK(ask(c, x).is == verdict::well);
  auto more = lose("n2");
  more.memory.push_back({{true, "g"}, 10'000});
  CHECK(ask(c, more).is == verdict::well);
}

TEST_CASE("a group that is emptied sends away what may cross, and no more") {
  auto c = with_second_group(samples::nodes_with({{1000, 1000, 1000}, {}}), 3);
  mirror(c, 1, 1);
  c.instances[2].disks = disk_template::plain;
  // Small as they are, the policy of the other group allows them.
  c.groups[1].policy.ranges.front().min = {};
  change_set x;
  x.emptied = {"g"};
  auto r = ask(c, x);
  CHECK(r.now.instances[0].primary >= 2);
  CHECK(r.now.instances[1].primary >= 2);
  CHECK(r.now.instances[1].secondary >= 2);
  CHECK(r.now.instances[2].primary == 0);
  REQUIRE(r.stuck.size() == 1);
  CHECK(r.stuck[0].instance == 2);
  CHECK(r.now.groups[0].allocation == alloc_policy::unallocable);
  c.instances.pop_back();
  CHECK(ask(c, x).is == verdict::after_moves);
}

TEST_CASE("what contradicts itself is refused with a sentence") {
  auto c = with_second_group(samples::nodes_with({{1000}, {}}), 1);
  auto x = lose("n9");
  CHECK(says(refused(c, x), "no node 'n9'"));
  x = {};
  x.lost = {{true, "g"}, {true, "h"}};
  CHECK(says(refused(c, x), "no node stays in service"));
  x = lose("n0");
  x.drained.push_back({true, "g"});
  CHECK(says(refused(c, x), "both lost and drained"));
  x = lose("n0");
  x.memory.push_back({{false, "n0"}, 1});
  CHECK(says(refused(c, x), "is lost"));
  x = {};
  x.emptied = {"g", "h"};
  CHECK(says(refused(c, x), "nowhere to go"));
  x.emptied = {"g"};
  x.added.push_back({1, "n0", 0, 0, 0, {}});
  CHECK(says(refused(c, x), "to be emptied"));
  x = {};
  x.grown.push_back(small(1, disk_template::ext));
  x.grown[0].group = "z";
  CHECK(says(refused(c, x), "no group 'z'"));
  x.grown[0].group.clear();
  x.grown[0].pool = storage_pool{storage_type::external, "nas9"};
  CHECK(says(refused(c, x), "--pools"));
}

} // namespace orderly::whatif_test
