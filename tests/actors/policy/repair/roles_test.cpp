// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is known of a disk is known of its node, whichever role that has; and
// what was heard before it was known does not end it.

#include "actors/policy/repair/copy.hpp"
#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_roles_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

/// The copy on n2 was left behind, and its node is back in service.
rig behind() {
  rig b;
  b.nodes["n1"].lives = true;
  b.kill("n2");
  b.look();
  b.now += minutes{20};
  b.nodes["n2"].offline = false;
  b.nodes["n2"].proved_down.reset();
  return b;
}

void exchange_roles(rig& b) {
  std::swap(b.record.primary, b.record.secondaries.front());
}

} // namespace

TEST_CASE("a broken disk of the home is a faulty copy once the instance has "
          "gone to its mirror, until a later answer says well") {
  auto b = poor();
  exchange_roles(b);
  SECTION("and its nodes are asked no more") {
    b.heard = {};
  }
  SECTION("and what was heard before is the last that was heard") {
  }
  SECTION("and the daemon has been started anew") {
    b.machine = from_fields(to_fields(b.machine));
    b.heard = {};
  }
  b.look();
  CHECK(b.machine.bad_copy == "n1");
  CHECK(b.machine.home_fault.empty());
  b.kill("n2");
  b.run();
  CHECK(b.repairs.empty());
  CHECK(b.told == texts{"A.COPY_FAULTY"});
  b.now += seconds{1};
  b.heard = {{}, true, b.now};
  b.run(false);
  REQUIRE(b.repairs.size() == 1);
  CHECK(b.repairs[0].kind == op_kind::instance_failover);
}

TEST_CASE("our own migration mends no disk of the home that it leaves") {
  auto b = poor();
  b.nodes["n1"].drained = true;
  b.run(false);
  REQUIRE(b.repairs.size() == 1);
  CHECK(b.repairs[0].kind == op_kind::instance_migrate);
  b.finish_job();
  REQUIRE(b.record.primary == "n2");
  b.nodes["n1"].drained = false;
  b.kill("n2");
  b.run();
  CHECK(b.repairs.size() == 1);
  CHECK(b.machine.bad_copy == "n1");
}

TEST_CASE("a faulty copy to which a person failed over all the same is a fault "
          "of the home, and the other is not given up for one made from it") {
  rig b;
  b.cluster_tags = {tagged("failover")};
  b.heard = {{{"disk/0", false, "n2"}}, false, b.now};
  b.look();
  REQUIRE(b.machine.bad_copy == "n2");
  b.heard = {};
  b.kill("n1");
  exchange_roles(b);
  if (GENERATE(false, true))
    b.machine = from_fields(to_fields(b.machine));
  b.run();
  CHECK(b.repairs.empty());
  CHECK(b.machine.bad_copy != "n2");
  CHECK(says(b.machine.why, "what is on n1 is not given up"));
  SECTION("nor when it has been moved back") {
    b.nodes["n1"].offline = false;
    exchange_roles(b);
    b.look();
    CHECK(b.machine.bad_copy == "n2");
    CHECK(b.machine.copy_read);
  }
  SECTION("until it has another mirror") {
    b.record.secondaries = {"n3"};
    b.look();
    CHECK(b.machine.home_fault.empty());
  }
}

TEST_CASE("a fault of both copies exchanges its roles with them") {
  state s;
  s.home_fault = {"n1", "n2", "a", from_ms(1), from_ms(2)};
  s.bad_copy = "n2";
  s.copy_beside = "n1";
  s.copy_fault = "b";
  s.copy_since = from_ms(3);
  s.copy_last = from_ms(4);
  facts seen;
  seen.primary.name = "n2";
  seen.secondaries.resize(1);
  seen.secondaries.front().name = "n1";
  auto next = in_new_roles(s, seen);
  REQUIRE(next);
  CHECK(next->home_fault
        == home_trouble{"n2", "n1", "b", from_ms(3), from_ms(4), true});
  CHECK(next->bad_copy == "n1");
  CHECK(next->copy_fault == "a");
  std::swap(seen.primary, seen.secondaries.front());
  CHECK_FALSE(in_new_roles(s, seen));
  auto back = in_new_roles(*next, seen);
  REQUIRE(back);
  CHECK(back->home_fault == s.home_fault);
  CHECK(back->copy_fault == s.copy_fault);
  CHECK_FALSE(back->copy_read);
}

TEST_CASE("where nobody asks, what was only concluded holds no home") {
  auto b = behind();
  exchange_roles(b);
  auto asked = GENERATE(true, false);
  b.heard.asked = asked;
  b.look();
  CHECK(b.machine.home_fault.empty() == !asked);
}

TEST_CASE("what was heard before our job counts if that made no copy anew") {
  rig b;
  b.heard = {{{"disk/0", false, "n2"}}, false, b.now};
  b.machine.moved = b.now + seconds{1};
  CHECK_FALSE(b.seen().copy_fault.empty());
  b.machine.remade = b.machine.moved;
  CHECK(b.seen().copy_fault.empty());
}

TEST_CASE("a job that makes a new mirror makes older answers those of another "
          "copy, and a failover does not") {
  auto b = GENERATE(true, false) ? failing_over() : fixing();
  auto makes = b.repairs.front().kind == op_kind::replace_disks;
  b.finish_job();
  CHECK(b.machine.moved != never);
  CHECK(b.machine.remade == (makes ? b.machine.moved : never));
}

TEST_CASE("of an older journal the last job may have made a copy, and a fault "
          "of the home was heard once") {
  fields f;
  f.put("moved", from_ms(7));
  f.put("poor_home", std::string_view{"n1"});
  f.put("poor_beside", std::string_view{"n2"});
  f.put("poor_since", from_ms(5));
  auto s = from_fields(f);
  CHECK(s.remade == from_ms(7));
  CHECK(s.home_fault.last == from_ms(5));
  CHECK(nameless_from(f).remade == from_ms(7));
  s.remade = never;
  CHECK(from_fields(to_fields(s)).remade == never);
}

TEST_CASE("an answer from before ends nothing that was concluded of a copy "
          "since") {
  using faults = std::vector<disk_fault>;
  auto b = behind();
  auto fault
    = GENERATE(faults{}, at_home, faults{{"disk/0", false, "n1", true}},
               faults{{"disk/0", false, "n2", true}});
  b.heard = {fault, fault.empty(), b.now - minutes{30}};
  b.mirror_syncs = only_syncs(fault);
  b.look();
  CHECK(b.machine.bad_copy == "n2");
  CHECK(says(b.machine.why, "its copy counts as behind since"));
  auto of_copy = !fault.empty() && fault.front().node == "n2";
  b.now += seconds{1};
  b.heard.at = b.now;
  b.look();
  CHECK(b.machine.bad_copy.empty());
  CHECK(b.seen().mirror_syncs == only_syncs(fault));
  CHECK(b.seen().copy_fault.empty() != of_copy);
}

} // namespace orderly::repair_roles_test
