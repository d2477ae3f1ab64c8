// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/encode.hpp"

#include <catch2/catch.hpp>

using namespace orderly;
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
  CHECK(written(about_instance(op_kind::replace_disks))
        == R"({"OP_ID":"OP_INSTANCE_REPLACE_DISKS","disks":[],)"
           R"("iallocator":"hail","instance_name":"i1",)"
           R"("mode":"replace_new_secondary"})");
  CHECK(written(about_instance(op_kind::replace_disks, "n2"))
        == R"({"OP_ID":"OP_INSTANCE_REPLACE_DISKS","disks":[],)"
           R"("instance_name":"i1","mode":"replace_new_secondary",)"
           R"("remote_node":"n2"})");
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

TEST_CASE("an allocator is named for external storage and only there") {
  auto move = about_instance(op_kind::instance_failover);
  auto shared = with_storage(disk_template::sharedfile);
  auto mirrored = with_storage(disk_template::drbd);
  CHECK(encode_opcode(move, &shared)->at("iallocator") == "hail");
  CHECK_FALSE(encode_opcode(move, &mirrored)->contains("iallocator"));
  CHECK_FALSE(encode_opcode(move, nullptr)->contains("iallocator"));
  move.target = "n2";
  auto aimed = encode_opcode(move, &shared);
  CHECK_FALSE(aimed->contains("iallocator"));
  CHECK(aimed->at("target_node") == "n2");
}

TEST_CASE("an opcode without the name that it needs is not sent") {
  for (auto kind :
       {op_kind::node_set_offline, op_kind::node_set_drained,
        op_kind::instance_failover, op_kind::instance_migrate,
        op_kind::replace_disks, op_kind::instance_startup,
        op_kind::instance_shutdown, op_kind::tags_set, op_kind::tags_del}) {
    opcode op;
    op.kind = kind;
    auto x = encode_opcode(op, nullptr);
    REQUIRE_FALSE(x.ok());
    CHECK(x.why().text.find(to_string(kind)) != std::string::npos);
  }
  opcode nameless;
  nameless.tags = {"a"};
  CHECK_FALSE(encode_opcode(nameless, nullptr).ok());
  CHECK_FALSE(encode_submission({{{}, "nothing to do"}}, 1, nullptr).ok());
}

TEST_CASE("every opcode of a submission carries its job's reason") {
  auto start = about_instance(op_kind::instance_startup);
  auto question
    = encode_submission({{{start, start}, "first"}, {{start}, "second"}},
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

TEST_CASE("no byte of a name can end the frame or break the JSON") {
  auto start = about_instance(op_kind::instance_startup);
  start.instance = "a\x03\"\xff\n";
  auto question = encode_submission({{{start}, "r\x03"}}, 1, nullptr);
  REQUIRE(question.ok());
  CHECK(question->args.find('\x03') == std::string::npos);
  CHECK_FALSE(json::parse(question->args, nullptr, false).is_discarded());
}
