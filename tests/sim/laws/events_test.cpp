// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/sim/laws/hand_played.hpp"

namespace orderly::laws_test {

using namespace orderly::sim;

namespace {

settings acting() {
  settings rules;
  rules.maintenance.mode = repair_mode::act;
  return rules;
}

/// Jobs of one repair event, each with its intent written first.
struct emptying : hand_played {
  emptying() : hand_played("small-5n", acting()) {
    // nop
  }

  job_id job(const std::vector<opcode>& ops) {
    auto intent = "event-U-" + std::to_string(++count) + "-step";
    write(entry_kind::intent, "event:U", "job", intent);
    auto answer = lab.cluster.submit({{{ops, trail_text("U", intent), {}}}});
    REQUIRE(answer.ids.size() == 1);
    look();
    return answer.ids[0];
  }

  static opcode tag_ready(const node_name& node) {
    opcode op;
    op.kind = op_kind::tags_set;
    op.tags_on = tag_kind::node;
    op.tag_object = node;
    op.tags = {"maintd:repairready:U"};
    return op;
  }

  static opcode mark_offline(const node_name& node) {
    opcode op;
    op.kind = op_kind::node_modify;
    op.node = node;
    op.offline = true;
    return op;
  }

  /// All that is on the node goes, by persons' hands.
  void clear(const node_name& node) {
    auto all = lab.cluster.record().instances;
    for (const auto& x : all)
      if (x.primary == node
          || std::count(x.secondaries.begin(), x.secondaries.end(), node) > 0)
        fault("remove-instance " + x.name);
  }
};

} // namespace

TEST_CASE("a node that asked is emptied without permission, token or proof") {
  emptying x;
  CHECK(x.lab.cluster.instance("web2")->primary == "node2");
  x.job({x.on_instance(op_kind::instance_migrate, "web2")});
  x.wait(minutes{2});
  x.job({x.on_instance(op_kind::activate_disks, "db2"),
         x.on_instance(op_kind::instance_failover, "db2", "node4")});
  CHECK(x.broken() == names{});
}

TEST_CASE("S2: what runs is failed over only by a job that asks its home") {
  emptying x;
  x.job({x.on_instance(op_kind::instance_failover, "db2", "node4")});
  auto found = x.broken();
  CHECK(found.count("S1") == 1);
  CHECK(found.count("S2") == 1);
}

TEST_CASE("S42: a node is called ready when it is empty and offline") {
  emptying x;
  SECTION("something is on it") {
    x.lab.cluster.set_offline("node2", true);
  }
  SECTION("it is in service") {
    x.clear("node2");
  }
  x.job({x.tag_ready("node2")});
  CHECK(x.broken() == names{"S42"});
}

TEST_CASE("S42: what is empty and offline is ready") {
  emptying x;
  x.clear("node2");
  x.job({x.mark_offline("node2")});
  x.wait(minutes{1});
  x.job({x.tag_ready("node2")});
  CHECK(x.broken() == names{});
}

TEST_CASE("S42: no node is marked offline while anything is on it") {
  emptying x;
  x.job({x.mark_offline("node2")});
  CHECK(x.broken() == names{"S42"});
}

TEST_CASE("S14: after a failed job of an event no other one is sent") {
  emptying x;
  x.fault("fail-next web2 error");
  x.job({x.on_instance(op_kind::instance_migrate, "web2")});
  x.wait(minutes{2});
  x.job({x.on_instance(op_kind::instance_migrate, "db2", "node4")});
  CHECK(x.broken() == names{"S14"});
}

TEST_CASE("S10: what is suspended stays on the node") {
  emptying x;
  x.fault("tag instance:web2 add ganeti:watcher:autorepair:suspend");
  x.wait(minutes{5});
  x.job({x.on_instance(op_kind::instance_migrate, "web2")});
  CHECK(x.broken() == names{"S10"});
}

TEST_CASE("S41: events that are only observed send no job") {
  emptying x;
  x.lab.rules.maintenance.mode = repair_mode::observe;
  x.wait(minutes{1});
  x.wait(minutes{1});
  x.job({x.on_instance(op_kind::instance_migrate, "web2")});
  CHECK(x.broken() == names{"S41"});
}

TEST_CASE("S40: no event moves anything onto a copy that lacks something") {
  emptying x;
  x.fault("mirror web2 faulty");
  x.wait(minutes{10});
  x.job({x.on_instance(op_kind::instance_migrate, "web2")});
  CHECK(x.broken() == names{"S40"});
}

} // namespace orderly::laws_test
