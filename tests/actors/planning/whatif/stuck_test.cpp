// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who cannot leave, or has lost a mirror, and what comes of it.

#include "actors/planning/whatif/what_if.hpp"
#include "tests/support/planning/nodes_with.hpp"
#include "tests/support/planning/samples.hpp"
#include "tests/support/planning/what_if_asked.hpp"

namespace orderly::stuck_test {

using namespace orderly::planning;

namespace {

void mirror(cluster& c, int instance, int to) {
  auto& x = c.instances[at(instance)];
  x.disks = disk_template::drbd;
  x.secondary = to;
  x.disk = 10;
}

change_set drain(const std::string& node) {
  change_set x;
  x.drained.push_back({false, node});
  return x;
}

bool says(const std::string& text, const std::string& what) {
  INFO(text);
  return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("where the mirror has no memory nothing is copied from a dead home") {
  auto c = samples::nodes_with({{8000}, {9000}, {}, {}});
  mirror(c, 0, 1);
  c.instances[1].disks = disk_template::plain;
  for (auto before : {true, false}) {
    c.nodes[0].offline = c.nodes[0].dead = before;
    auto r = ask(c, before ? change_set{} : lose("n0"));
    CHECK(r.is == verdict::not_well);
    CHECK(r.steps.empty());
    REQUIRE(r.stuck.size() == 1);
    CHECK(r.stuck[0].kind == stuck_kind::no_room);
    CHECK(says(r.stuck[0].why, "its mirror on n1 cannot take over"));
    CHECK_FALSE(has_room_for_all(r));
  }
  // Where it can leave, room is made for it first.
  c.nodes[0].offline = c.nodes[0].dead = false;
  c.instances[1].disks = disk_template::ext;
  auto r = ask(c, lose("n0"));
  CHECK(r.is == verdict::after_moves);
  CHECK(r.now.instances[0].primary == 1);
}

TEST_CASE(
  "off a drained node whose mirror is dead it is copied, not failed over") {
  auto c = samples::nodes_with({{1000}, {}, {}, {}});
  mirror(c, 0, 1);
  for (auto before : {true, false}) {
    c.nodes[1].offline = c.nodes[1].dead = before;
    auto x = drain("n0");
    if (!before)
      x.lost.push_back({false, "n1"});
    auto r = ask(c, x);
    CHECK(r.is == verdict::after_moves);
    REQUIRE(r.steps.size() == 3);
    for (const auto& s : r.steps)
      CHECK(s.to.primary != 1);
    CHECK(r.now.instances[0].primary >= 2);
    CHECK(r.now.instances[0].secondary >= 2);
    // Both new mirrors, and its memory.
    CHECK(r.moved.copied == 10 + 1000 + 10);
  }
}

TEST_CASE(
  "a drained mirror of a dead home takes over, for it has the one copy") {
  auto c = samples::nodes_with({{1000}, {}, {}, {}});
  mirror(c, 0, 1);
  auto x = drain("n1");
  x.lost.push_back({false, "n0"});
  auto r = ask(c, x);
  CHECK(r.is == verdict::after_moves);
  REQUIRE_FALSE(r.steps.empty());
  CHECK(r.steps[0].to.primary == 1);
  CHECK(r.now.instances[0].primary >= 2);
}

TEST_CASE("who loses a mirror in another group is stuck, whatever takes it") {
  auto c = samples::nodes_with({{1000}, {}, {}, {}, {}});
  c.groups.push_back({"h", "v", {}, {}, {}, {}});
  c.nodes[3].group = c.nodes[4].group = 1;
  mirror(c, 0, 3);
  CHECK(ask(c, {}).is == verdict::well);
  CHECK(ask(c, lose("n4")).is == verdict::well);
  auto group_lost = change_set{};
  group_lost.lost.push_back({true, "h"});
  auto emptied = change_set{};
  emptied.emptied = {"h"};
  for (const auto& x : {lose("n3"), drain("n3"), group_lost, emptied}) {
    auto r = ask(c, x);
    CHECK(r.is == verdict::not_well);
    REQUIRE(r.stuck.size() == 1);
    CHECK(r.stuck[0].kind == stuck_kind::apart);
    CHECK(says(r.stuck[0].why, "its mirror on n3"));
    CHECK(says(r.stuck[0].why, "not in the group of its node n0"));
    CHECK(has_room_for_all(r));
  }
  c.nodes[3].offline = true;
  CHECK(ask(c, {}).stuck.size() == 1);
  // The other half lost: told once, and as before.
  CHECK(ask(c, lose("n0")).stuck.size() == 1);
}

} // namespace orderly::stuck_test
