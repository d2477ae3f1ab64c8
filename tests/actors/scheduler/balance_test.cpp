// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is moved for balance stands in nobody's way.

#include "tests/actors/scheduler/rig.hpp"

namespace orderly::scheduler_balance_test {

namespace {

permit_request rebalance(const char* from, const char* to) {
  permit_request q;
  q.owner = "balance:web1";
  q.act = act_kind::rebalance;
  q.instances = {"web1"};
  q.leaves = {from};
  q.joins = {to};
  return q;
}

} // namespace

TEST_CASE("nothing is moved for balance during a pause, a storm, or without "
          "the right to act") {
  scheduler_rig b;
  auto q = rebalance("node8", "node9");
  std::string why;
  SECTION("pause") {
    b.pause(true);
    why = "paused by ann: works on the roof";
  }
  SECTION("storm") {
    b.troubled(3);
    why = "storm: 3 of 10 nodes are in trouble, limit 2";
  }
  SECTION("no right") {
    b.on.tell(b.actor, lease{false, b.on.now(), "the master is node9"});
    why = "the master is node9";
  }
  auto p = b.ask(q);
  CHECK_FALSE(p.granted);
  CHECK_FALSE(p.taken);
  CHECK(p.why == why);
  q.resumed = true; // it is under way already
  CHECK(b.ask(q).granted);
}

TEST_CASE("nothing is moved for balance from or to a node in trouble or one "
          "that is held") {
  scheduler_rig b;
  b.troubled(1); // node0
  CHECK(b.ask(rebalance("node0", "node5")).why == "node0 is in trouble");
  CHECK(b.ask(rebalance("node5", "node0")).why == "node0 is in trouble");
  node_standing held;
  held.node = "node5";
  held.held = "emergency power-off power-1";
  b.on.tell(b.actor, held);
  CHECK(b.ask(rebalance("node5", "node6")).why
        == "node5 is held: emergency power-off power-1");
  CHECK(b.ask(rebalance("node6", "node7")).granted);
  CHECK(b.disk->states.count("scheduler") == 0); // it costs nothing
}

TEST_CASE("a fence and a failover get their permits beside a move for "
          "balance") {
  scheduler_rig b;
  CHECK(b.ask(rebalance("node1", "node2")).granted);
  CHECK(b.ask("node2", act_kind::fence).granted);
  auto failover = b.request("db1", act_kind::failover);
  failover.leaves = {"node2"};
  failover.joins = {"node1"};
  CHECK(b.ask(failover).granted);
  auto own = b.request("web1", act_kind::failover);
  auto p = b.ask(own);
  CHECK_FALSE(p.granted);
  CHECK(p.why == "instance web1 is held by balance:web1");
  b.release("balance:web1");
  CHECK(b.ask(own).granted);
}

TEST_CASE("a move for balance does not overtake a failover that found no "
          "place") {
  scheduler_rig b;
  auto held = b.request("node2", act_kind::record);
  CHECK(b.ask(held).granted);
  auto failover = b.request("db1", act_kind::failover);
  failover.joins = {"node2", "node3"};
  CHECK_FALSE(b.wait(failover).granted);
  CHECK(b.ask(rebalance("node3", "node4")).why
        == "lets failovers that concern the same nodes go first");
}

} // namespace orderly::scheduler_balance_test
