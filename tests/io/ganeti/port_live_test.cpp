// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/io/ganeti/rig.hpp"

#include <algorithm>

namespace orderly::ganeti_port_live_test {

using namespace orderly::io;
using test::hang_up;
using test::luxi_rig;
using test::luxi_sample;
using test::reaction;

namespace {

/// What the key of a request for the nodes' room is.
constexpr const char* room = "\"mfree\"";
constexpr const char* result_of_job = "\"opresult\"]";

room_answer ask_room(luxi_rig& b, std::vector<node_name> nodes) {
  return b.ask<room_answer>(b.ports.cluster,
                            read_room{std::move(nodes), seconds{1}});
}

mirrors_answer ask_mirrors(luxi_rig& b, millis limit = seconds{5}) {
  return b.ask<mirrors_answer>(b.ports.cluster,
                               read_mirrors{{"inst5.gnt.test"}, limit});
}

job_lookup_answer look_up(luxi_rig& b, std::vector<job_id> ids) {
  return b.ask<job_lookup_answer>(b.ports.jobs, job_lookup{std::move(ids)});
}

bool was_asked(luxi_rig& b, const std::string& what) {
  auto all = b.luxid.requests();
  return std::any_of(all.begin(), all.end(), [&](const std::string& x) {
    return x.find(what) != std::string::npos;
  });
}

/// A luxid that runs job 22, which finds a lost disk.
void run_mirror_job(luxi_rig& b) {
  b.replies.set("SubmitManyJobs", R"({"success":true,"result":[[true,22]]})");
  b.replies.set("WaitForJobChange",
                R"({"success":true,"result":[["success"],[]]})");
  b.replies.set(result_of_job, luxi_sample("mirrors-diskless"));
}

} // namespace

TEST_CASE("the cluster port asks nodes how much room they have") {
  luxi_rig b;
  b.replies.set(room, luxi_sample("room"));
  auto answer = ask_room(b, {"node2.gnt.test", "node3.gnt.test"});
  CHECK(answer.answered);
  REQUIRE(answer.nodes.size() == 2);
  CHECK(answer.nodes[1].name == "node3.gnt.test");
  b.replies.set(room, R"({"success":false,"result":"busy"})");
  auto refused = ask_room(b, {"node2.gnt.test"});
  CHECK_FALSE(refused.answered);
  CHECK(refused.text == "busy");
  b.replies.set(room, hang_up);
  auto broken = ask_room(b, {"node2.gnt.test"});
  CHECK_FALSE(broken.answered);
  CHECK_FALSE(broken.text.empty());
}

TEST_CASE("whoever asks about nothing is answered without luxid") {
  luxi_rig b;
  b.luxid.crash();
  CHECK(ask_room(b, {}).answered);
  CHECK(look_up(b, {}).answered);
  CHECK(look_up(b, {}).jobs.empty());
  auto mirrors = b.ask<mirrors_answer>(b.ports.cluster, read_mirrors{});
  CHECK(mirrors.answered);
  CHECK(b.luxid.requests().empty());
}

TEST_CASE("mirrors are read by a job whose result tells the faults") {
  luxi_rig b;
  run_mirror_job(b);
  auto answer = ask_mirrors(b);
  CHECK(answer.text.empty());
  REQUIRE(answer.answered);
  REQUIRE(answer.faults.size() == 1);
  CHECK(to_string(answer.faults.at("inst5.gnt.test"))
        == "disk/0 is faulty on node1.gnt.test");
  CHECK_FALSE(was_asked(b, "CancelJob"));
}

TEST_CASE("a job on mirrors that fails is no answer, with its error") {
  luxi_rig b;
  run_mirror_job(b);
  b.replies.set(result_of_job,
                R"({"success":true,"result":{"fields":[],"data":[[[0,22],)"
                R"([0,"error"],[0,["error"]],)"
                R"([0,[["OpExecError",["node is silent"]]]]]]}})");
  auto answer = ask_mirrors(b);
  CHECK_FALSE(answer.answered);
  CHECK(answer.faults.empty());
  CHECK(answer.text.find("OpExecError: node is silent") != std::string::npos);
  b.replies.set("SubmitManyJobs",
                R"({"success":false,"result":["GenericError",["drained"]]})");
  auto refused = ask_mirrors(b);
  CHECK_FALSE(refused.answered);
  CHECK(refused.text.find("drained") != std::string::npos);
  b.replies.set("SubmitManyJobs", hang_up);
  CHECK_FALSE(ask_mirrors(b).answered);
}

TEST_CASE("a job on mirrors that takes too long is canceled") {
  luxi_rig b;
  run_mirror_job(b);
  b.replies.set("WaitForJobChange",
                reaction{R"({"success":true,"result":"nochange"})"
                         "\x03",
                         false, 0, millis{800}});
  b.replies.set("CancelJob", luxi_sample("cancel"));
  auto begin = std::chrono::steady_clock::now();
  auto answer = ask_mirrors(b, millis{2500});
  CHECK_FALSE(answer.answered);
  CHECK(answer.text.find("job 22 was canceled") != std::string::npos);
  CHECK(std::chrono::steady_clock::now() - begin < seconds{4});
  for (auto i = 0; i < 100 && !was_asked(b, "CancelJob"); ++i)
    std::this_thread::sleep_for(millis{10});
  CHECK(was_asked(b, R"("CancelJob","args":[22])"));
}

TEST_CASE("a luxid that does not wait for a job on mirrors is asked once") {
  luxi_rig b;
  run_mirror_job(b);
  b.replies.set("WaitForJobChange",
                R"({"success":true,"result":[["queued"],[]]})");
  auto answer = ask_mirrors(b);
  CHECK_FALSE(answer.answered);
  CHECK(answer.text.find("does not wait") != std::string::npos);
}

TEST_CASE("the job port tells how any jobs stand") {
  luxi_rig b;
  b.replies.set("QueryJobs", luxi_sample("standings"));
  auto answer = look_up(b, {3, 99999});
  REQUIRE(answer.answered);
  REQUIRE(answer.jobs.size() == 2);
  CHECK(answer.jobs[0].status == job_status::success);
  CHECK(answer.jobs[1].status == job_status::lost);
  b.replies.set("QueryJobs", hang_up);
  auto broken = look_up(b, {3});
  CHECK_FALSE(broken.answered);
  CHECK(broken.jobs.empty());
  CHECK_FALSE(broken.text.empty());
}

} // namespace orderly::ganeti_port_live_test
