// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Reinstalls: what loses data, and is the last resort.

#include "actors/policy/repair/plan.hpp"
#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_reinstall_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

/// All nodes of the instance are dead, and it may be reinstalled.
rig lost(disk_template disks = disk_template::drbd) {
  rig b;
  b.record.disks = disks;
  b.record.memory_mib = 1024;
  b.record.disks_mib = {10000};
  b.kill("n1");
  b.kill("n2");
  if (disks != disk_template::drbd)
    b.record.secondaries.clear();
  b.cluster_tags = {tagged("reinstall")};
  return b;
}

} // namespace

TEST_CASE("a reinstall is one job on nodes with room, and it starts what ran") {
  auto b = lost();
  b.run();
  REQUIRE(b.repairs.size() == 4);
  CHECK(b.repairs[0].kind == op_kind::instance_shutdown);
  CHECK(b.repairs[0].flag);
  CHECK(b.repairs[1].kind == op_kind::recreate_disks);
  CHECK(b.repairs[1].nodes == std::vector<node_name>{"n3", "n4"});
  CHECK(b.repairs[2].kind == op_kind::instance_reinstall);
  CHECK(b.repairs[3].kind == op_kind::instance_startup);
  CHECK(b.record.admin == admin_state::up);
  CHECK(b.questions.at(0).leaves == std::vector<node_name>{"n1"});
  CHECK(b.questions.at(0).joins == std::vector<node_name>{"n3", "n4"});
  CHECK(b.tags_now() == texts{"result:reinstall:u1:1700000000:success:1001"});
  CHECK(b.machine == state{});
}

TEST_CASE("what is marked down is reinstalled and stays down") {
  auto b = lost(disk_template::plain);
  b.record.admin = admin_state::down;
  b.run();
  REQUIRE(b.repairs.size() == 2);
  CHECK(b.repairs[0].nodes == std::vector<node_name>{"n3"});
  CHECK(b.record.admin == admin_state::down);
}

TEST_CASE("nothing is reinstalled without proof, room and permission") {
  auto b = lost();
  std::string reason;
  SECTION("no proof about the primary") {
    b.nodes["n1"].proved_down.reset();
    reason = "waits for proof that n1 is down";
  }
  SECTION("the secondary is only drained") {
    b.nodes["n2"].offline = false;
    b.nodes["n2"].drained = true;
    b.cluster_tags = {tagged("migrate")};
    reason = "needs failover";
  }
  SECTION("the primary is only drained") {
    b.nodes["n1"].offline = false;
    b.nodes["n1"].drained = true;
    b.nodes["n3"].offline = b.nodes["n4"].offline = true;
    reason = "no room";
  }
  SECTION("too weak") {
    b.cluster_tags = {tagged("failover")};
    reason = "needs reinstall";
  }
  SECTION("no memory") {
    b.memory_free = 1000;
    reason = "not enough nodes in service with 10128 MiB of disk and 1024 MiB "
             "of memory";
  }
  SECTION("no disk") {
    b.disk_free = 10000;
    reason = "not enough nodes";
  }
  SECTION("one node too few") {
    b.nodes["n4"].drained = true;
    reason = "not enough nodes";
  }
  SECTION("nodes that do not tell their room") {
    b.room_text = "timed out";
    reason = "is not known: timed out";
  }
  b.run();
  CHECK(b.repairs.empty());
  CHECK(says(b.machine.why, reason));
  CHECK(b.shown().settled);
}

TEST_CASE("what a person switches off is not lost: no reinstall, whichever of "
          "the nodes it is") {
  auto b = lost();
  auto name = GENERATE("n1", "n2");
  auto order = std::string{"root wants it off: new memory"};
  SECTION("it is off by order") {
    b.nodes[name].wanted_off = order;
    b.run();
    CHECK(b.intents.empty());
    CHECK(says(b.machine.why,
               std::string{"waits: "} + name + " is off by order (root wants"));
    CHECK(b.shown().may_live == std::vector<node_name>{name});
    CHECK(b.shown().settled);
    b.nodes[name].wanted_off.clear(); // it is ordered on, or said to be lost
    b.run();
    CHECK(b.repairs.size() == 4);
  }
  SECTION("it is about to be") {
    b.nodes[name].leaving = "power-3 of root will switch it off";
    b.run();
    CHECK(b.intents.empty());
    CHECK(says(b.machine.why, "is about to go: power-3"));
  }
  SECTION("the order comes while the job waits in the queue") {
    b.run(false);
    REQUIRE(b.repair_under_way());
    b.nodes[name].wanted_off = order;
    b.look();
    CHECK(b.called_back == texts{b.machine.intent});
  }
}

TEST_CASE("what can be failed over leaves a node that is off by order") {
  rig b;
  b.kill("n1");
  b.nodes["n1"].wanted_off = "root wants it off";
  b.cluster_tags = {tagged("reinstall")};
  b.run();
  REQUIRE_FALSE(b.repairs.empty());
  CHECK(b.repairs[0].kind == op_kind::instance_failover);
}

TEST_CASE("what is parked is never reinstalled: its disks would go, and no "
          "system would come") {
  auto b = lost(
    GENERATE(disk_template::drbd, disk_template::plain, disk_template::file));
  b.record.admin = admin_state::offline;
  CHECK(needed(b.seen()).broken);
  CHECK_FALSE(needed(b.seen()).type);
  b.run();
  CHECK(b.intents.empty());
  CHECK(says(b.shown().why, "marked offline and is not reinstalled until"));
  // Not even if somebody asked for it.
  b.record.tags = {tagged("pending:reinstall:" + id1 + ":1699990000:")};
  b.run();
  CHECK(b.intents.empty());
  b.record.admin = admin_state::down;
  b.run();
  CHECK(b.repairs.size() == 2);
}

TEST_CASE("nodes are asked for their room before a reinstall gets a tag") {
  auto b = lost();
  b.room_asked = false;
  b.run();
  CHECK(b.intents.empty());
  CHECK(b.machine.wants_room);
  CHECK_FALSE(b.shown().settled);
  b.room_asked = true;
  b.run();
  CHECK_FALSE(b.machine.wants_room);
  CHECK(b.repairs.size() == 4);
}

TEST_CASE("a reinstall that waits for room has a tag without jobs, and goes on "
          "when a node returns") {
  auto b = lost();
  b.nodes["n3"].drained = true;
  b.run();
  CHECK(b.tags_now() == texts{"pending:reinstall:u1:1700000000:"});
  b.nodes["n3"].drained = false;
  b.run();
  CHECK(b.tags_now() == texts{"result:reinstall:u1:1700000000:success:1002"});
}

TEST_CASE("a reinstall is never done twice, however it ended") {
  auto b = lost();
  b.run(false);
  REQUIRE(b.repair_under_way());
  SECTION("error") {
    b.end_job(job_phase::ended, job_status::error);
  }
  SECTION("no room after all: something was done by then") {
    b.end_job(job_phase::ended, job_status::error, "insufficient_resources");
  }
  SECTION("overdue, and then error") {
    b.end_job(job_phase::overdue, job_status::running);
    b.run();
    CHECK(b.machine.phase == phase::failed);
    CHECK(b.tags_now() == texts{"pending:reinstall:u1:1700000000:"});
    b.jobs[1001] = {1001, job_status::error, b.now};
  }
  SECTION("lost") {
    b.end_job(job_phase::ended, job_status::lost);
  }
  b.now += hours{1};
  b.run();
  CHECK(b.repairs.size() == 4);
  CHECK(b.machine.phase == phase::failed);
  CHECK(b.tags_now() == texts{"result:reinstall:u1:1700003600:failure:1001"});
}

TEST_CASE("a reinstall that is overdue and ends well after all is no failure") {
  auto b = lost();
  b.run(false);
  REQUIRE(b.repair_under_way());
  auto ops = b.under_way->ops;
  b.end_job(job_phase::overdue, job_status::running);
  b.run();
  CHECK(b.told == texts{"A.REPAIR_FAILED"});
  REQUIRE(b.execute(ops));
  b.jobs[1001] = {1001, job_status::success, b.now};
  b.trails.emplace_back(b.machine.repair, 1001);
  b.now += minutes{1};
  b.run();
  CHECK(b.repairs.size() == 4);
  REQUIRE(b.tags_now().size() == 1);
  CHECK(says(b.tags_now().front(), ":success:1001"));
}

TEST_CASE("if the allocator picks the nodes none is named") {
  auto b = lost();
  b.be_harep();
  b.run();
  REQUIRE(b.repairs.size() == 4);
  CHECK(b.repairs[1].nodes.empty());
  CHECK(b.repairs[1].allocator == "hail");
}

TEST_CASE("the node with most memory becomes primary, the one with most disk "
          "the secondary") {
  auto seen = lost().seen();
  seen.room->nodes = {{"a", 2000, 50000},
                      {"b", 4000, 20000},
                      {"c", 3000, 60000},
                      {"d", 500, 90000}};
  CHECK(place(seen, 2) == std::vector<node_name>{"b", "c"});
  CHECK(place(seen, 4).empty());
  seen.room.reset();
  CHECK(place(seen, 1).empty());
}

} // namespace orderly::repair_reinstall_test
