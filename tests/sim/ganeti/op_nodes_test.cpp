// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the simulated Ganeti lets people write about a node's power.

#include "sim/faults/faults.hpp"
#include "tests/sim/ganeti/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::ganeti_op_nodes_test {

using namespace orderly::sim;

namespace {

struct rig {
  rig() {
    auto plan = *plan_named("small-5n", 1);
    plan.nodes.back().power_control = false;
    lab = std::make_unique<lab_state>(plan);
  }

  /// The text of the error; empty: it worked.
  std::string run(const opcode& op) {
    auto answer = lab->cluster.submit({{{{op}, "test", {}}}});
    REQUIRE(answer.ids.size() == 1);
    lab->advance(lab->truth.now() + minutes{2});
    const auto& job = *lab->cluster.job(answer.ids[0]);
    REQUIRE(is_final(job.status));
    CHECK(job.text.empty() == (job.status == job_status::success));
    return job.text;
  }

  [[nodiscard]] const node_record& node(const node_name& name) const {
    return *lab->cluster.node(name);
  }

  std::unique_ptr<lab_state> lab;
};

opcode modify(const node_name& node) {
  return on_node(op_kind::node_modify, node);
}

opcode mark_offline(const node_name& node, bool powered_off) {
  auto op = on_node(op_kind::node_set_offline, node);
  op.flag = powered_off;
  return op;
}

} // namespace

TEST_CASE("a node is marked offline with or without its power record") {
  rig b;
  CHECK(b.run(mark_offline("node2", false)).empty());
  CHECK(b.node("node2").offline);
  CHECK(b.node("node2").powered);
  CHECK(b.run(mark_offline("node3", true)).empty());
  CHECK(b.node("node3").offline);
  CHECK_FALSE(b.node("node3").powered);
}

TEST_CASE("a node without a helper has no power record to write") {
  rig b;
  const std::string refusal
    = "Unable to change powered state for node node5 as it does not support "
      "out-of-band handling";
  CHECK(b.run(mark_offline("node5", true)) == refusal);
  CHECK_FALSE(b.node("node5").offline);
  auto op = modify("node5");
  op.powered = false;
  CHECK(b.run(op) == refusal);
  CHECK(b.node("node5").powered);
  CHECK(b.run(mark_offline("node5", false)).empty());
  CHECK(b.node("node5").offline);
}

TEST_CASE("a node recorded off is not taken back before it is recorded on") {
  rig b;
  CHECK(b.run(mark_offline("node2", true)).empty());
  auto back = modify("node2");
  back.offline = false;
  CHECK(b.run(back)
        == "Node node2 needs to be turned on before its offline status can be "
           "reset");
  CHECK(b.node("node2").offline);
  SECTION("in two steps") {
    auto on = modify("node2");
    on.powered = true;
    CHECK(b.run(on).empty());
    CHECK(b.node("node2").powered);
    CHECK(b.run(back).empty());
  }
  SECTION("in one") {
    back.powered = true;
    CHECK(b.run(back).empty());
  }
  CHECK_FALSE(b.node("node2").offline);
  CHECK(b.node("node2").powered);
}

TEST_CASE("a node that does not answer is not taken back") {
  rig b;
  CHECK(b.run(mark_offline("node2", false)).empty());
  b.lab->truth.set_power("node2", false);
  auto back = modify("node2");
  back.offline = false;
  CHECK(b.run(back)
        == "Node node2 is being de-offlined but fails to report its version");
  CHECK(b.node("node2").offline);
}

TEST_CASE("a helper program is written, and decides what may be recorded") {
  rig b;
  auto op = modify("node5");
  op.program = "/usr/lib/orderly/oob-b";
  CHECK(b.run(op).empty());
  CHECK(b.node("node5").oob_program == "/usr/lib/orderly/oob-b");
  auto off = modify("node5");
  off.powered = false;
  CHECK(b.run(off).empty());
  CHECK_FALSE(b.node("node5").powered);
}

TEST_CASE("the master is not marked offline") {
  rig b;
  auto op = modify("node1");
  op.offline = true;
  CHECK_FALSE(b.run(op).empty());
  CHECK_FALSE(b.node("node1").offline);
}

TEST_CASE("an instance can be shut down and stay wanted up") {
  rig b;
  opcode op;
  op.kind = op_kind::instance_shutdown;
  op.instance = "web2";
  SECTION("remembered as stopped") {
    CHECK(b.run(op).empty());
    CHECK(b.lab->cluster.instance("web2")->admin == admin_state::down);
  }
  SECTION("remembered as wanted") {
    op.keep_wanted = true;
    CHECK(b.run(op).empty());
    CHECK(b.lab->cluster.instance("web2")->admin == admin_state::up);
  }
  CHECK(b.lab->truth.homes("web2").empty());
}

} // namespace orderly::ganeti_op_nodes_test
