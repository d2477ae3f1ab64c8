// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/encode.hpp"

#include <catch2/catch.hpp>

namespace orderly::ganeti_encode_test {

using namespace orderly::io;

namespace {

opcode about_instance(op_kind kind, node_name target = {}) {
  opcode op;
  op.kind = kind;
  op.instance = "i1";
  op.target = std::move(target);
  return op;
}

opcode about_node(op_kind kind, bool flag) {
  opcode op;
  op.kind = kind;
  op.node = "n1";
  op.flag = flag;
  return op;
}

std::string written(const opcode& op, const cluster_record* picture = nullptr) {
  auto x = encode_opcode(op, picture);
  REQUIRE(x.ok());
  return x->dump();
}

cluster_record with_storage(disk_template disks) {
  cluster_record x;
  instance_record i;
  i.name = "i1";
  i.disks = disks;
  x.instances = {i};
  return x;
}

} // namespace

TEST_CASE("every opcode is written as Ganeti expects it") {
  CHECK(written(about_node(op_kind::node_set_offline, false))
        == R"({"OP_ID":"OP_NODE_SET_PARAMS","auto_promote":true,)"
           R"("node_name":"n1","offline":true})");
  CHECK(written(about_node(op_kind::node_set_offline, true))
        == R"({"OP_ID":"OP_NODE_SET_PARAMS","auto_promote":true,)"
           R"("node_name":"n1","offline":true,"powered":false})");
  CHECK(written(about_node(op_kind::node_set_drained, true))
        == R"({"OP_ID":"OP_NODE_SET_PARAMS","auto_promote":true,)"
           R"("drained":true,"node_name":"n1"})");
  CHECK(written(about_instance(op_kind::instance_failover))
        == R"({"OP_ID":"OP_INSTANCE_FAILOVER","ignore_consistency":false,)"
           R"("instance_name":"i1","shutdown_timeout":120})");
  CHECK(written(about_instance(op_kind::instance_migrate, "n2"))
        == R"({"OP_ID":"OP_INSTANCE_MIGRATE","instance_name":"i1",)"
           R"("target_node":"n2"})");
  auto stopped = about_instance(op_kind::instance_migrate, "n2");
  stopped.flag = true;
  CHECK(written(stopped)
        == R"({"OP_ID":"OP_INSTANCE_MIGRATE","allow_failover":true,)"
           R"("instance_name":"i1","target_node":"n2"})");
  CHECK(written(about_instance(op_kind::replace_disks, "n2"))
        == R"({"OP_ID":"OP_INSTANCE_REPLACE_DISKS","disks":[],)"
           R"("early_release":false,"instance_name":"i1",)"
           R"("mode":"replace_new_secondary","remote_node":"n2"})");
  auto disks = about_instance(op_kind::activate_disks);
  CHECK(written(disks)
        == R"({"OP_ID":"OP_INSTANCE_ACTIVATE_DISKS","instance_name":"i1"})");
  disks.flag = true; // in step, or not at all
  CHECK(written(disks)
        == R"({"OP_ID":"OP_INSTANCE_ACTIVATE_DISKS","instance_name":"i1",)"
           R"("wait_for_sync":true})");
  CHECK(written(about_instance(op_kind::instance_reinstall))
        == R"({"OP_ID":"OP_INSTANCE_REINSTALL","instance_name":"i1"})");
  CHECK(written(about_instance(op_kind::instance_startup))
        == R"({"OP_ID":"OP_INSTANCE_STARTUP","instance_name":"i1"})");
  CHECK(written(about_instance(op_kind::instance_shutdown))
        == R"({"OP_ID":"OP_INSTANCE_SHUTDOWN","instance_name":"i1",)"
           R"("timeout":120})");
}

TEST_CASE("tags go to all four kinds under Ganeti's names") {
  opcode op;
  op.kind = op_kind::tags_set;
  op.tags = {"a", "b"};
  op.tag_object = "x";
  CHECK(written(op)
        == R"({"OP_ID":"OP_TAGS_SET","kind":"instance","name":"x",)"
           R"("tags":["a","b"]})");
  op.kind = op_kind::tags_del;
  op.tags_on = tag_kind::group;
  CHECK(written(op)
        == R"({"OP_ID":"OP_TAGS_DEL","kind":"nodegroup","name":"x",)"
           R"("tags":["a","b"]})");
  op.tags_on = tag_kind::node;
  CHECK(encode_opcode(op, nullptr)->at("kind") == "node");
  op.tags_on = tag_kind::cluster;
  CHECK(encode_opcode(op, nullptr)->at("name") == "");
}

TEST_CASE("an allocator is named where asked for, except for a mirror") {
  auto kind = GENERATE(op_kind::instance_failover, op_kind::instance_migrate);
  auto move = about_instance(kind);
  auto shared = with_storage(disk_template::sharedfile);
  auto mirrored = with_storage(disk_template::drbd);
  CHECK_FALSE(encode_opcode(move, &shared)->contains("iallocator"));
  move.allocator = "mine";
  CHECK(encode_opcode(move, &shared)->at("iallocator") == "mine");
  CHECK(encode_opcode(move, nullptr)->at("iallocator") == "mine");
  CHECK_FALSE(encode_opcode(move, &mirrored)->contains("iallocator"));
  move.target = "n2";
  auto aimed = encode_opcode(move, &shared);
  CHECK_FALSE(aimed->contains("iallocator"));
  CHECK(aimed->at("target_node") == "n2");
}

TEST_CASE("a new mirror is put where we say, or the allocator, or Ganeti's") {
  auto op = about_instance(op_kind::replace_disks);
  op.allocator = "hail";
  CHECK(written(op)
        == R"({"OP_ID":"OP_INSTANCE_REPLACE_DISKS","disks":[],)"
           R"("early_release":false,"iallocator":"hail",)"
           R"("instance_name":"i1","mode":"replace_new_secondary"})");
  op.target = "n2";
  CHECK_FALSE(encode_opcode(op, nullptr)->contains("iallocator"));
  op.target.clear();
  op.allocator.clear();
  auto open = encode_opcode(op, nullptr);
  CHECK_FALSE(open->contains("iallocator"));
  CHECK_FALSE(open->contains("remote_node"));
}

TEST_CASE("a mirror that is repaired in place gets no node and no allocator") {
  auto op = about_instance(op_kind::replace_disks);
  op.flag = true;
  op.allocator = "hail";
  CHECK(written(op)
        == R"({"OP_ID":"OP_INSTANCE_REPLACE_DISKS","disks":[],)"
           R"("early_release":false,"instance_name":"i1",)"
           R"("mode":"replace_auto"})");
}

TEST_CASE("new disks never go to the instance's own, lost nodes") {
  auto op = about_instance(op_kind::recreate_disks);
  op.allocator = "hail";
  op.nodes = {"n4", "n5"};
  CHECK(written(op)
        == R"({"OP_ID":"OP_INSTANCE_RECREATE_DISKS","disks":[],)"
           R"("instance_name":"i1","nodes":["n4","n5"]})");
  op.nodes.clear();
  CHECK(written(op)
        == R"({"OP_ID":"OP_INSTANCE_RECREATE_DISKS","disks":[],)"
           R"("iallocator":"hail","instance_name":"i1","nodes":[]})");
  op.allocator.clear();
  CHECK(encode_opcode(op, nullptr)->at("iallocator") == ".");
}

TEST_CASE("a shutdown ignores offline nodes only when told so") {
  auto op = about_instance(op_kind::instance_shutdown);
  CHECK_FALSE(encode_opcode(op, nullptr)->contains("ignore_offline_nodes"));
  op.flag = true;
  CHECK(encode_opcode(op, nullptr)->at("ignore_offline_nodes") == true);
}

TEST_CASE("a shutdown says how long it may take, in whole seconds") {
  auto op = about_instance(op_kind::instance_shutdown);
  op.span = seconds{30};
  CHECK(encode_opcode(op, nullptr)->at("timeout") == 30);
  op.span = millis{30001};
  CHECK(encode_opcode(op, nullptr)->at("timeout") == 31);
  op.span = millis{-5};
  CHECK(encode_opcode(op, nullptr)->at("timeout") == 120);
}

TEST_CASE("an instance is kept as wanted up only when told so") {
  auto op = about_instance(op_kind::instance_shutdown);
  CHECK_FALSE(encode_opcode(op, nullptr)->contains("no_remember"));
  op.keep_wanted = true;
  CHECK(encode_opcode(op, nullptr)->at("no_remember") == true);
}

TEST_CASE("of a node only what is named is modified") {
  auto op = about_node(op_kind::node_modify, false);
  op.offline = false;
  op.auto_promote = true;
  CHECK(written(op)
        == R"({"OP_ID":"OP_NODE_SET_PARAMS","auto_promote":true,)"
           R"("node_name":"n1","offline":false})");
  op.offline = true;
  op.powered = false;
  op.auto_promote = false;
  CHECK(written(op)
        == R"({"OP_ID":"OP_NODE_SET_PARAMS","auto_promote":false,)"
           R"("node_name":"n1","offline":true,"powered":false})");
  op.offline.reset();
  op.powered.reset();
  op.program = "";
  CHECK(written(op)
        == R"({"OP_ID":"OP_NODE_SET_PARAMS","auto_promote":false,)"
           R"("ndparams":{"oob_program":""},"node_name":"n1"})");
  op.program.reset();
  auto none = encode_opcode(op, nullptr);
  REQUIRE_FALSE(none.ok());
  CHECK(none.why().text.find("no change") != std::string::npos);
}

TEST_CASE("a power record alone is sent with what Ganeti counts as a change") {
  auto op = about_node(op_kind::node_modify, false);
  op.powered = true;
  CHECK(written(op)
        == R"({"OP_ID":"OP_NODE_SET_PARAMS","auto_promote":false,)"
           R"("ndparams":{},"node_name":"n1","powered":true})");
}

TEST_CASE("a wait is fractional seconds on the master alone, without locks") {
  opcode op;
  op.kind = op_kind::wait;
  op.span = millis{1500};
  CHECK(written(op)
        == R"({"OP_ID":"OP_TEST_DELAY","duration":1.5,"on_master":true,)"
           R"("on_nodes":[],"repeat":0})");
  op.span = seconds{10};
  CHECK(written(op).find("\"duration\":10.0") != std::string::npos);
}

TEST_CASE("an opcode without the name that it needs is not sent") {
  for (auto kind : {op_kind::node_set_offline, op_kind::node_modify,
                    op_kind::node_set_drained, op_kind::instance_failover,
                    op_kind::instance_migrate, op_kind::replace_disks,
                    op_kind::instance_startup, op_kind::instance_shutdown,
                    op_kind::recreate_disks, op_kind::instance_reinstall,
                    op_kind::wait, op_kind::tags_set, op_kind::tags_del}) {
    opcode op;
    op.kind = kind;
    auto x = encode_opcode(op, nullptr);
    REQUIRE_FALSE(x.ok());
    CHECK(x.why().text.find(to_string(kind)) != std::string::npos);
  }
  opcode nameless;
  nameless.tags = {"a"};
  CHECK_FALSE(encode_opcode(nameless, nullptr).ok());
  CHECK_FALSE(encode_submission({{{}, "nothing to do", {}}}, 1, nullptr).ok());
}

TEST_CASE("every opcode of a submission carries its job's reason") {
  auto start = about_instance(op_kind::instance_startup);
  auto question = encode_submission(
    {{{start, start}, "first", {}}, {{start}, "second", {}}},
    1795158622547265858, nullptr);
  REQUIRE(question.ok());
  CHECK(question->method == "SubmitManyJobs");
  auto args = json::parse(question->args);
  REQUIRE(args.size() == 1);
  REQUIRE(args[0].size() == 2);
  REQUIRE(args[0][0].size() == 2);
  auto first = R"([["gnt:daemon:maintd","first",1795158622547265858]])"_json;
  CHECK(args[0][0][0]["reason"] == first);
  CHECK(args[0][0][1]["reason"] == first);
  CHECK(args[0][1][0]["reason"][0][1] == "second");
}

TEST_CASE("a remark is a row of its own in every opcode's trail") {
  auto start = about_instance(op_kind::instance_startup);
  auto question = encode_submission(
    {{{start, start}, "incident=c intent=t", "by hand"}}, 7, nullptr);
  REQUIRE(question.ok());
  auto trail = json::parse(R"([["gnt:daemon:maintd","incident=c intent=t",7],)"
                           R"(["orderly","by hand",7]])");
  auto job = json::parse(question->args)[0][0];
  REQUIRE(job.size() == 2);
  CHECK(job[0]["reason"] == trail);
  CHECK(job[1]["reason"] == trail);
}

TEST_CASE("no byte of a name can end the frame or break the JSON") {
  auto start = about_instance(op_kind::instance_startup);
  start.instance = "a\x03\"\xff\n";
  auto question = encode_submission({{{start}, "r\x03", "m\x03"}}, 1, nullptr);
  REQUIRE(question.ok());
  CHECK(question->args.find('\x03') == std::string::npos);
  CHECK_FALSE(json::parse(question->args, nullptr, false).is_discarded());
}

} // namespace orderly::ganeti_encode_test
