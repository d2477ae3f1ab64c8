// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/decode_job.hpp"
#include "io/ganeti/decode_live.hpp"
#include "io/ganeti/decode_standing.hpp"
#include "tests/io/ganeti/samples.hpp"

namespace orderly::ganeti_live_test {

using namespace orderly::io;
using test::luxi_sample;
using test::replaced;

namespace {

std::string room_table(const std::string& rows) {
  return R"({"success":true,"result":{"fields":[],"data":[)" + rows + "]}}";
}

/// One mirrored instance as its two nodes see its one disk.
json mirror(const std::string& primary, const std::string& secondary) {
  return json::parse(R"({"i1":{"disks":[{"iv_name":"disk/0","drbd_info":)"
                     R"({"primary_node":"n1","secondary_node":"n2"},"pstatus":)"
                     + primary + R"(,"sstatus":)" + secondary + "}]}}");
}

const std::string well = R"(["/dev/drbd0",147,0,null,null,false,1])";
const std::string degraded = R"(["/dev/drbd0",147,0,null,null,true,1])";
const std::string faulty = R"(["/dev/drbd0",147,0,null,null,true,4])";
const std::string source = R"(["/dev/drbd0",147,0,12.5,30,true,1])";
const std::string syncing = R"(["/dev/drbd0",147,0,12.5,30,true,2])";

std::string fault_seen(const std::string& primary,
                       const std::string& secondary) {
  auto faults = decode_mirrors(mirror(primary, secondary));
  REQUIRE(faults.ok());
  auto i = faults->faults.find("i1");
  return i == faults->faults.end() ? "" : to_string(i->second);
}

using faults_by_name = std::map<instance_name, std::vector<disk_fault>>;

} // namespace

TEST_CASE("room is asked of the named nodes only") {
  auto question = question_for_room({"n2", "n1"});
  CHECK(question.method == "Query");
  CHECK(question.args
        == R"(["node",["name","mfree","dfree"],)"
           R"(["|",["=","name","n2"],["=","name","n1"]]])");
}

TEST_CASE("room is what nodes say, sorted; the silent ones are left out") {
  auto real = decode_room(luxi_sample("room"));
  REQUIRE(real.ok());
  REQUIRE(real->size() == 2);
  CHECK((*real)[0].name == "node2.gnt.test");
  CHECK((*real)[0].memory_mib > 0);
  CHECK((*real)[0].disk_mib > 0);
  auto some = decode_room(
    room_table(R"([[0,"n3"],[0,30],[0,7]],[[0,"n1"],[2,null],[2,null]],)"
               R"([[0,"n4"],[4,null],[4,null]],[[0,"n2"],[0,0],[3,null]])"));
  REQUIRE(some.ok());
  CHECK(*some == std::vector<node_room>{{"n2", 0, 0}, {"n3", 30, 7}});
  CHECK_FALSE(decode_room(room_table(R"([[0,"n3"],[0,"x"],[0,7]])")).ok());
  CHECK_FALSE(decode_room(R"({"success":false,"result":"busy"})").ok());
}

TEST_CASE("mirrors are read with one job that changes nothing") {
  auto question = question_for_mirrors({"i1", "i2"}, 7);
  CHECK(question.method == "SubmitManyJobs");
  auto args = json::parse(question.args);
  REQUIRE(args.size() == 1);
  REQUIRE(args[0].size() == 1);
  REQUIRE(args[0][0].size() == 1);
  auto op = args[0][0][0];
  CHECK(op["OP_ID"] == "OP_INSTANCE_QUERY_DATA");
  CHECK(op["instances"] == json{"i1", "i2"});
  CHECK(op["static"] == false);
  CHECK(op["use_locking"] == false);
  CHECK(op["reason"]
        == json::parse(R"([["orderly","how are the mirrors?",7]])"));
  CHECK(op.size() == 5);
}

TEST_CASE("a mirror that is well on a real cluster has no fault") {
  auto found = decode_job_result(luxi_sample("mirrors-well"), 21);
  REQUIRE(found.ok());
  auto faults = decode_mirrors(*found);
  REQUIRE(faults.ok());
  CHECK(faults->faults.empty());
}

TEST_CASE("a lost disk and a lost connection on a real cluster are faults") {
  auto found = decode_job_result(luxi_sample("mirrors-diskless"), 22);
  REQUIRE(found.ok());
  auto faults = decode_mirrors(*found);
  REQUIRE(faults.ok());
  CHECK(faults->faults
        == faults_by_name{
          {"inst5.gnt.test", {{"disk/0", true, "node1.gnt.test"}}}});
  found = decode_job_result(luxi_sample("mirrors-degraded"), 28);
  REQUIRE(found.ok());
  faults = decode_mirrors(*found);
  REQUIRE(faults.ok());
  CHECK(faults->faults
        == faults_by_name{
          {"inst5.gnt.test", {{"disk/0", false, "node3.gnt.test"}}}});
}

TEST_CASE("a copy that is being synchronised is no good one, on the side that "
          "is written") {
  CHECK(fault_seen(source, syncing) == "disk/0 is being synchronised on n2");
  CHECK(fault_seen(syncing, source) == "disk/0 is being synchronised on n1");
  CHECK(fault_seen(source, "null") == "disk/0 is being synchronised on n2");
  CHECK(fault_seen("null", syncing) == "disk/0 is being synchronised on n2");
  CHECK(fault_seen(degraded, syncing) == "disk/0 is degraded on n1");
  CHECK(fault_seen(syncing, faulty) == "disk/0 is faulty on n2");
  auto answer = decode_mirrors(mirror(source, syncing));
  REQUIRE(answer.ok());
  CHECK(only_syncs(answer->faults.at("i1")));
}

TEST_CASE("a fault is a broken disk, or degraded without a resync") {
  CHECK(fault_seen(well, well).empty());
  CHECK(fault_seen(degraded, well) == "disk/0 is degraded on n1");
  CHECK(fault_seen(well, degraded) == "disk/0 is degraded on n2");
  CHECK(fault_seen(degraded, degraded) == "disk/0 is degraded on n1");
  CHECK(fault_seen(faulty, well) == "disk/0 is faulty on n1");
  CHECK(fault_seen(degraded, faulty) == "disk/0 is faulty on n2");
}

TEST_CASE("a mirror is well if both sides say so, and not because one is "
          "silent") {
  auto is_well = [](const std::string& primary, const std::string& secondary) {
    auto answer = decode_mirrors(mirror(primary, secondary));
    REQUIRE(answer.ok());
    return answer->well.count("i1") == 1;
  };
  CHECK(is_well(well, well));
  CHECK_FALSE(is_well(source, syncing));
  CHECK_FALSE(is_well("null", "null"));
  CHECK_FALSE(is_well(well, "null"));
  CHECK_FALSE(is_well("null", well));
  CHECK_FALSE(is_well(degraded, well));
}

TEST_CASE("a side that says nothing is no fault of the mirror") {
  CHECK(fault_seen("null", "null").empty());
  CHECK(fault_seen(well, "null").empty());
  CHECK(fault_seen("null", faulty) == "disk/0 is faulty on n2");
}

TEST_CASE("all broken disks of an instance are named") {
  auto two = mirror(well, faulty);
  auto& disks = two["i1"]["disks"];
  disks.push_back(disks[0]);
  disks[1]["iv_name"] = "disk/1";
  auto faults = decode_mirrors(two);
  REQUIRE(faults.ok());
  CHECK(to_string(faults->faults.at("i1"))
        == "disk/0 is faulty on n2, disk/1 is faulty on n2");
}

TEST_CASE("a disk without a mirror has no mirror's fault") {
  auto plain = mirror(faulty, "null");
  plain["i1"]["disks"][0]["drbd_info"] = nullptr;
  auto faults = decode_mirrors(plain);
  REQUIRE(faults.ok());
  CHECK(faults->faults.empty());
}

TEST_CASE("a view of a mirror that is not understood is no good news") {
  auto odd = GENERATE(as<std::string>{}, "7", "[]", R"({"a":1})",
                      R"(["/dev/drbd0",147,0,null,null,1,1])",
                      R"(["/dev/drbd0",147,0,null,null,false])");
  auto faults = decode_mirrors(mirror(odd, well));
  REQUIRE_FALSE(faults.ok());
  CHECK(faults.why().text.find("(i1)") != std::string::npos);
  CHECK_FALSE(decode_mirrors(mirror(well, odd)).ok());
  CHECK_FALSE(decode_mirrors(json::parse("[]")).ok());
  CHECK_FALSE(decode_mirrors(json::parse(R"({"i1":7})")).ok());
  CHECK_FALSE(decode_mirrors(json::parse(R"({"i1":{"disks":7}})")).ok());
  CHECK_FALSE(decode_mirrors(json::parse(R"({"i1":{"disks":[7]}})")).ok());
}

TEST_CASE("the standing of jobs is asked by their ids") {
  auto question = question_for_standings({5, 7});
  CHECK(question.method == "QueryJobs");
  CHECK(question.args
        == R"([[5,7],["id","status","end_ts","ops","opstatus","opresult"]])");
}

TEST_CASE("every job that was asked for has a standing, in that order") {
  // Job 2 is archived, job 16 made no new disks, job 18 migrated, job 19 found
  // no tag, and of job 99999 nobody knows.
  auto found
    = decode_standings(luxi_sample("standings"), {99999, 3, 2, 3, 19, 16, 18});
  REQUIRE(found.ok());
  REQUIRE(found->size() == 7);
  CHECK((*found)[0] == job_standing{99999, job_status::lost, never});
  CHECK((*found)[1].id == 3);
  CHECK((*found)[1].status == job_status::success);
  CHECK((*found)[1].ended > never);
  CHECK((*found)[2].id == 2);
  CHECK((*found)[2].status == job_status::success);
  CHECK((*found)[3] == (*found)[1]);
  CHECK((*found)[1].text.empty());
  CHECK((*found)[4].status == job_status::error);
  CHECK((*found)[4].text
        == "OpPrereqError: Tag(s) 'orderly:token:abc:1' not found "
           "(unknown_entity)");
  CHECK((*found)[5].status == job_status::error);
  for (std::size_t i = 0; i < found->size(); ++i) {
    CHECK((*found)[i].renews_disks == (i == 5));
    CHECK((*found)[i].needs_home == (i == 6));
  }
}

TEST_CASE("a job has ended at the time that Ganeti gives, if it has ended") {
  auto found = decode_standings(
    R"({"success":true,"result":[[1,"error",[1795169631,405129],7,)"
    R"(["success","error"],[null,["OpPrereqError",["gone","x"]]]],)"
    R"([2,"running",null,null,null,null],[3,"success",null,[],[],[]],)"
    R"([4,"canceled",[1,"x"],[7,{"OP_ID":7}],7,8]]})",
    {1, 2, 3, 4, 5});
  REQUIRE(found.ok());
  CHECK((*found)[0]
        == job_standing{1, job_status::error, from_ms(1795169631405),
                        "OpPrereqError: gone (x)"});
  CHECK((*found)[1] == job_standing{2, job_status::running, never});
  CHECK((*found)[2] == job_standing{3, job_status::success, never});
  CHECK((*found)[3] == job_standing{4, job_status::canceled, never});
  CHECK((*found)[4] == job_standing{5, job_status::lost, never});
}

TEST_CASE("a standing that is not understood never makes a job lost") {
  auto text = GENERATE(
    as<std::string>{}, "", R"({"success":false,"result":"busy"})",
    R"({"success":true,"result":7})", R"({"success":true,"result":[7]})",
    R"({"success":true,"result":[[1,"odd",null,[],[],[]]]})",
    R"({"success":true,"result":[[1,7,null,[],[],[]]]})",
    R"({"success":true,"result":[["1","success",null,[],[],[]]]})",
    R"({"success":true,"result":[[1,"success"]]})");
  auto found = decode_standings(text, {1});
  REQUIRE_FALSE(found.ok());
  CHECK_FALSE(found.why().text.empty());
}

} // namespace orderly::ganeti_live_test
