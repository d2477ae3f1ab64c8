// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/decode.hpp"
#include "io/ganeti/decode_job.hpp"
#include "tests/io/ganeti/samples.hpp"

namespace orderly::ganeti_decode_test {

using namespace orderly::io;
using test::luxi_sample;
using test::replaced;
using test::table;

namespace {

picture_replies samples() {
  return {luxi_sample("nodes"),  luxi_sample("instances"),
          luxi_sample("groups"), luxi_sample("jobs-unfinished"),
          luxi_sample("config"), luxi_sample("tags")};
}

/// One node as luxid tells it, with these cells for powered and its program.
std::string node_row(const std::string& powered, const std::string& program,
                     const std::string& serial = "[0,7]") {
  return table(R"([[0,"n1"],[0,"u"],[0,"g"],[0,"10.0.0.1"],[0,true],[0,false],)"
               R"([0,true],[0,false],)"
               + powered + "," + program + R"(,[0,["a","b"]],)" + serial + "]");
}

} // namespace

TEST_CASE("the picture of a real cluster is read whole and sorted") {
  auto picture = decode_picture(samples());
  REQUIRE(picture.ok());
  CHECK(picture->name == "cluster.gnt.test");
  CHECK(picture->master == "node1.gnt.test");
  REQUIRE(picture->nodes.size() == 5);
  CHECK(picture->nodes[3].name == "node4.gnt.test");
  CHECK(picture->nodes[3].group == "rack2");
  CHECK(picture->nodes[3].address == "10.77.0.14");
  CHECK(picture->nodes[3].oob_program == "/usr/sbin/oob-helper");
  REQUIRE(picture->instances.size() == 8);
  const auto& drbd = picture->instances[0];
  CHECK(drbd.name == "inst1.gnt.test");
  CHECK(drbd.disks == disk_template::drbd);
  CHECK(drbd.secondaries.size() == 1);
  CHECK(drbd.memory_mib == 128);
  CHECK(drbd.admin == admin_state::up);
  CHECK(drbd.disks_mib == std::vector<std::int64_t>{512});
  CHECK(drbd.os == "noop");
  CHECK(picture->instances[2].disks == disk_template::sharedfile);
  CHECK(picture->instances[3].disks == disk_template::diskless);
  CHECK(picture->instances[3].disks_mib.empty());
  REQUIRE(picture->groups.size() == 2);
  CHECK(picture->groups[0].name == "default");
}

TEST_CASE("only fields that Ganeti knows without its nodes are asked for") {
  for (const auto& question : questions_for_picture())
    for (const auto* live : {"mfree", "dfree", "mtotal", "oper_state", "bootid",
                             "\"status\",\"snodes", "cnodes"})
      CHECK(question.args.find(live) == std::string::npos);
}

TEST_CASE("the order in which luxid lists things does not matter") {
  auto replies = samples();
  replies[2] = replaced(replaced(replies[2], "\"default\"", "\"z\""),
                        "\"rack2\"", "\"a\"");
  auto picture = decode_picture(replies);
  REQUIRE(picture.ok());
  CHECK(picture->groups[0].name == "a");
  CHECK(picture->groups[1].name == "z");
}

TEST_CASE("a node's flags and its power control are read as recorded") {
  auto nodes = decode_nodes(node_row("[0,false]", R"([0,"/bin/oob"])"));
  REQUIRE(nodes.ok());
  REQUIRE(nodes->size() == 1);
  CHECK((*nodes)[0].offline);
  CHECK_FALSE((*nodes)[0].drained);
  CHECK_FALSE((*nodes)[0].master_candidate);
  CHECK_FALSE((*nodes)[0].powered);
  CHECK((*nodes)[0].oob_program == "/bin/oob");
  CHECK((*nodes)[0].tags == std::vector<std::string>{"a", "b"});
  CHECK((*nodes)[0].serial_no == 7);
}

TEST_CASE(
  "a node whose record has no serial number that makes sense has none") {
  auto serial = GENERATE("[3,null]", "[0,-7]");
  auto nodes = decode_nodes(node_row("[0,true]", R"([0,"!"])", serial));
  REQUIRE(nodes.ok());
  CHECK((*nodes)[0].serial_no == 0);
}

TEST_CASE("a node without power control counts as powered") {
  auto program = GENERATE(R"([0,""])", "[3,null]", "[0,null]");
  auto nodes = decode_nodes(node_row("[3,null]", program));
  REQUIRE(nodes.ok());
  CHECK((*nodes)[0].powered);
  CHECK((*nodes)[0].oob_program.empty());
}

TEST_CASE("a node that opts out of power control still has a power record") {
  auto nodes = decode_nodes(node_row("[0,false]", R"([0,"!"])"));
  REQUIRE(nodes.ok());
  CHECK_FALSE((*nodes)[0].powered);
  CHECK((*nodes)[0].oob_program == "!");
}

TEST_CASE("real nodes that opt out are told from those that are recorded off") {
  auto nodes = decode_nodes(luxi_sample("nodes-opted-out"));
  REQUIRE(nodes.ok());
  REQUIRE(nodes->size() == 6);
  const auto& recorded_off = (*nodes)[3];
  CHECK_FALSE(recorded_off.powered);
  CHECK_FALSE(recorded_off.offline);
  CHECK(recorded_off.oob_program == "/usr/sbin/oob-helper");
  // An empty program of its own, though the cluster has one.
  CHECK((*nodes)[4].oob_program.empty());
  CHECK((*nodes)[4].powered);
  CHECK((*nodes)[4].offline);
  CHECK((*nodes)[5].oob_program == "!");
}

TEST_CASE("an instance that is only planned is not in the picture") {
  auto text = replaced(luxi_sample("instances"), "[0,false]", "[0,true]");
  auto instances = decode_instances(text);
  REQUIRE(instances.ok());
  CHECK(instances->size() == 7);
}

TEST_CASE("an older Ganeti without planned instances is understood") {
  auto text = replaced(luxi_sample("instances"), "[0,false]", "[1,null]");
  auto instances = decode_instances(text);
  REQUIRE(instances.ok());
  CHECK(instances->size() == 8);
}

TEST_CASE("unfinished jobs name what they are about and their trail") {
  auto jobs = decode_running_jobs(luxi_sample("jobs-unfinished"));
  REQUIRE(jobs.ok());
  REQUIRE(jobs->size() == 2);
  CHECK((*jobs)[0].id == 28);
  CHECK((*jobs)[0].instances == std::vector<std::string>{"inst1.gnt.test"});
  CHECK((*jobs)[0].nodes.empty());
  CHECK((*jobs)[0].reason
        == "incident=c1 intent=i1 job=28;index=0 job=28;index=1");
  CHECK(intent_in_trail((*jobs)[1].reason) == "i2");
}

TEST_CASE("nodes and instances are found under every key of an opcode") {
  auto jobs = decode_running_jobs(table(
    R"([[0,7],[0,"running"],[0,[)"
    R"({"OP_ID":"A","reason":[],"instance_name":"i1","target_node":"n1"},)"
    R"({"OP_ID":"B","node_name":"n2","remote_node":"n3"},)"
    R"({"OP_ID":"C","instances":[{"instance_name":"i2","pnode":"n4"}]},)"
    R"({"OP_ID":"D","kind":"node","name":"n5","nodes":["n6","n1"]},)"
    R"({"OP_ID":"E","kind":"nodegroup","name":"g"}]]])"));
  REQUIRE(jobs.ok());
  REQUIRE(jobs->size() == 1);
  CHECK((*jobs)[0].instances == std::vector<std::string>{"i1", "i2"});
  CHECK((*jobs)[0].nodes
        == std::vector<std::string>{"n1", "n2", "n3", "n4", "n6", "n5"});
}

TEST_CASE("a job that only looks at instances is about none of them") {
  auto jobs = decode_running_jobs(table(
    R"([[0,7],[0,"running"],[0,[)"
    R"({"OP_ID":"OP_INSTANCE_QUERY_DATA","reason":[],"instances":["i1"]},)"
    R"({"OP_ID":"OP_INSTANCE_STARTUP","instance_name":"i2"}]]])"));
  REQUIRE(jobs.ok());
  REQUIRE(jobs->size() == 1);
  CHECK((*jobs)[0].instances == std::vector<std::string>{"i2"});
}

TEST_CASE("an instance's disks and system may be unknown, but not odd") {
  auto sample = luxi_sample("instances");
  auto bare = decode_instances(
    replaced(sample, R"([0,[512]],[0,"noop"])", R"([3,null],[0,""])"));
  REQUIRE(bare.ok());
  CHECK((*bare)[0].disks_mib.empty());
  CHECK((*bare)[0].os.empty());
  auto odd = GENERATE(as<std::string>{}, "[0,7]", R"([0,["512"]])", "[0,[1.5]]",
                      "[0,[-1]]", "[0,[18446744073709551615]]");
  auto garbled = decode_instances(replaced(sample, "[0,[512]]", odd));
  REQUIRE_FALSE(garbled.ok());
  CHECK(garbled.why().text.find("disk.sizes") != std::string::npos);
}

TEST_CASE("short names in jobs are expanded to the picture's names") {
  auto replies = samples();
  replies[3]
    = replaced(replies[3], "\"name\":\"inst1.gnt.test\"", "\"name\":\"inst1\"");
  auto picture = decode_picture(replies);
  REQUIRE(picture.ok());
  CHECK(picture->jobs[0].instances
        == std::vector<std::string>{"inst1.gnt.test"});
}

TEST_CASE("one reply that is refused or garbled spoils the picture") {
  auto which = GENERATE(range(std::size_t{0}, picture_parts));
  auto bad = GENERATE(
    as<std::string>{}, "", "{", "[]", "null", "\xff\xfe", R"({"success":true})",
    R"({"result":[]})", R"({"success":1,"result":[]})",
    R"({"success":true,"result":7})", R"({"success":true,"result":{"data":7}})",
    R"({"success":true,"result":{"data":[7]}})",
    R"({"success":true,"result":{"data":[[]]}})",
    R"({"success":true,"result":[1]})",
    R"({"success":false,"result":["GenericError",["x"]]})");
  auto replies = samples();
  replies[which] = bad;
  auto picture = decode_picture(replies);
  REQUIRE_FALSE(picture.ok());
  CHECK_FALSE(picture.why().text.empty());
}

TEST_CASE("a field of the wrong kind is named") {
  auto nodes = decode_nodes(
    replaced(luxi_sample("nodes"), "[0,\"10.77.0.11\"]", "[0,7]"));
  REQUIRE_FALSE(nodes.ok());
  CHECK(nodes.why().kind == fault_kind::bad_input);
  CHECK(nodes.why().text.find("field 'pip' holds no text")
        != std::string::npos);
  auto unknown = decode_nodes(
    replaced(luxi_sample("nodes"), "[0,\"10.77.0.11\"]", "[1,null]"));
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.why().text.find("this Ganeti has no field 'pip'")
        != std::string::npos);
}

TEST_CASE("a reply that is cut off anywhere is refused as garbled") {
  auto text = luxi_sample("instances");
  auto end = text.find_last_of('}');
  for (std::size_t n = 0; n <= end; n += 7)
    REQUIRE_FALSE(decode_instances(text.substr(0, n)).ok());
  REQUIRE(decode_instances(text).ok());
}

TEST_CASE("a reply in which a key is there twice is refused, wherever it is") {
  auto text = luxi_sample("nodes");
  REQUIRE(decode_nodes(text).ok());
  auto outermost = replaced(text, "{", "{\"success\":true,");
  auto inside
    = replaced(text, "[0,\"10.77.0.11\"]", "[0,{\"a\":1,\"b\":{},\"a\":1}]");
  for (const auto& bad : {outermost, inside}) {
    auto nodes = decode_nodes(bad);
    REQUIRE_FALSE(nodes.ok());
    CHECK(nodes.why().kind == fault_kind::bad_input);
    CHECK(nodes.why().text.find("is there twice") != std::string::npos);
  }
}

TEST_CASE("all of Ganeti's ways to write an error become a sentence") {
  CHECK(error_text(json::parse(R"(["GenericError",["Queue drained"]])"))
        == "GenericError: Queue drained");
  CHECK(error_text(json::parse(R"(["OpPrereqError",["No inst","unknown"]])"))
        == "OpPrereqError: No inst (unknown)");
  CHECK(error_text(json::parse(R"("Failed to parse request: x")"))
        == "Failed to parse request: x");
  CHECK(error_text(json::parse(R"(["Odd"])")) == "Odd");
  CHECK(error_text(json::parse(R"(["Odd",[1,null]])")) == "Odd");
  CHECK_FALSE(error_text(json::parse("null")).empty());
  CHECK_FALSE(error_text(json::parse("[[]]")).empty());
}

} // namespace orderly::ganeti_decode_test
