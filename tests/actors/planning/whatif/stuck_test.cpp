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

TEST_CASE("room for new instances is gathered before they come") {
  auto c = samples::read(
    "g0|u0|preferred||\n"
    "\n"
    "n1|16384|0|10240|500000|395552|16|M|u0|8||N|0|1|1.0\n"
    "n2|32768|1024|20480|200000|22848|8|N|u0|8||N|0|1|1.0\n"
    "n3|16384|0|10240|500000|404768|16|N|u0|8||N|0|1|1.0\n"
    "\n"
    "i1|4096|1024|1|running|Y|n2||ext||1\n"
    "i2|1024|1024|1|running|N|n3||plain||1\n"
    "i3|2048|10240|2|running|Y|n1|n2|drbd||1\n"
    "i4|1024|1024|1|running|Y|n3||ext||1\n"
    "i5|2048|40960|2|running|Y|n3|n2|drbd||1\n"
    "i6|1024|40960|1|running|Y|n3|n2|drbd||1\n"
    "i7|4096|40960|2|running|Y|n2|n1|drbd||1\n"
    "i8|2048|40960|1|ADMIN_down|Y|n2|n1|drbd||1\n"
    "i9|1024|1024|2|running|N|n2|n3|drbd||1\n"
    "i10|1024|1024|1|running|Y|n2|n1|drbd||1\n"
    "i11|2048|1024|2|running|Y|n1|n2|drbd||1\n"
    "i12|1024|1024|2|running|Y|n2||ext||1\n"
    "i13|1024|10240|1|running|Y|n1|n3|drbd||1\n"
    "i14|1024|40960|1|running|Y|n1||ext||1\n"
    "i15|1024|1024|2|running|Y|n3||plain||1\n"
    "\n"
    "\n"
    "|1024,1,10240,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|"
    "diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext|6.0|32.0\n"
    "g0|1024,1,10240,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|"
    "diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext|6.0|32.0\n");
  change_set x;
  x.grown.push_back(small(8, disk_template::ext));
  x.grown[0].memory = 1024;
  x.grown[0].vcpus = 4;
  auto r = ask(c, x);
  CHECK(r.is == verdict::after_moves);
  CHECK(r.created == 8);
  CHECK_FALSE(r.steps.empty());
  for (const auto& s : r.steps)
    CHECK(at(s.what.instance) < c.instances.size());
}

} // namespace orderly::stuck_test
