// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What luxid says of jobs: how they stand and ended, what they are about, and
// what became of a submission.

#include "io/ganeti/decode.hpp"
#include "io/ganeti/decode_job.hpp"
#include "tests/io/ganeti/samples.hpp"

#include <algorithm>

namespace orderly::ganeti_decode_jobs_test {

using namespace orderly::io;
using test::luxi_sample;
using test::replaced;
using test::table;

TEST_CASE("a failed job says the first error of its opcodes") {
  auto job = decode_job(luxi_sample("job-failed"), 18);
  REQUIRE(job.ok());
  CHECK(job->answered);
  CHECK(job->status == job_status::error);
  CHECK(job->text
        == "OpPrereqError: Instance's disk layout 'plain' does not allow "
           "failovers (wrong_state)");
  auto canceled = decode_job(luxi_sample("job-canceled"), 31);
  REQUIRE(canceled.ok());
  CHECK(canceled->status == job_status::canceled);
}

TEST_CASE(
  "a command that failed on a node is an error, though its job is none") {
  auto reply = luxi_sample("job-command-failed");
  auto job = decode_job(reply, 22);
  REQUIRE(job.ok());
  CHECK(job->status == job_status::error);
  CHECK(job->text.find("exit code 3; output: no such slot")
        != std::string::npos);
  auto well = decode_job(replaced(reply, "[false,", "[true,"), 22);
  REQUIRE(well.ok());
  CHECK(well->status == job_status::success);
}

TEST_CASE("a job that failed for lack of room says so in one of two ways") {
  auto refused = decode_job(luxi_sample("job-no-room"), 27);
  REQUIRE(refused.ok());
  CHECK(refused->text
        == "OpPrereqError: Can't compute nodes using iallocator 'hail': "
           "Request failed: Can't find any good node:  "
           "(insufficient_resources)");
  // Found only when the disk was to be made: no class of the error.
  auto broken = decode_job(luxi_sample("job-full-node"), 23);
  REQUIRE(broken.ok());
  CHECK(broken->text.find("OpExecError: Can't create block device") == 0);
  CHECK(broken->text.find("Not enough free space: required 128, ")
        != std::string::npos);
}

TEST_CASE("a job without a row or without a status is lost") {
  auto unknown = decode_job(luxi_sample("job-unknown"), 99999);
  REQUIRE(unknown.ok());
  CHECK(unknown->answered);
  CHECK(unknown->status == job_status::lost);
  auto none = decode_job(table(""), 5);
  REQUIRE(none.ok());
  CHECK(none->status == job_status::lost);
  auto nothing = decode_job_result(table(""), 5);
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.why().kind == fault_kind::not_found);
}

TEST_CASE("only a job that succeeded has a result") {
  auto good = decode_job_result(
    table(R"([[0,5],[0,"success"],[0,["success"]],[0,[{"a":1}]]])"), 5);
  REQUIRE(good.ok());
  CHECK(good->at("a") == 1);
  auto failed = decode_job_result(luxi_sample("job-failed"), 18);
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.why().kind == fault_kind::refused);
  CHECK(failed.why().text.find("does not allow failovers")
        != std::string::npos);
  auto row
    = GENERATE(as<std::string>{}, R"([[0,5],[0,"running"],[0,[]],[0,[]]])",
               R"([[0,5],[0,"canceled"],[0,[]],[0,[null]]])",
               R"([[0,5],[0,"success"],[0,[]],[0,[]]])",
               R"([[0,5],[0,"success"],[0,[]],[0,7]])");
  CHECK_FALSE(decode_job_result(table(row), 5).ok());
}

TEST_CASE("a reply that is not understood never makes a job lost") {
  CHECK_FALSE(decode_job(R"({"success":false,"result":"busy"})", 5).ok());
  CHECK_FALSE(decode_job(table(R"([[0,5],[0,"odd"],[0,[]],[0,[]]])"), 5).ok());
  CHECK_FALSE(
    decode_change(R"({"success":true,"result":[]})", job_status::queued).ok());
  CHECK_FALSE(decode_change(R"({"success":true,"result":[["odd"],[]]})",
                            job_status::queued)
                .ok());
}

TEST_CASE("a wait ends with a status, with no change, or with no job") {
  auto running = decode_change(luxi_sample("change"), job_status::queued);
  REQUIRE(running.ok());
  CHECK(*running == job_status::running);
  auto same = decode_change(R"({"success":true,"result":"nochange"})",
                            job_status::waiting);
  REQUIRE(same.ok());
  CHECK(*same == job_status::waiting);
  auto lost = decode_change(luxi_sample("change-lost"), job_status::waiting);
  REQUIRE(lost.ok());
  CHECK_FALSE(lost->has_value());
}

TEST_CASE("a wait asks for what luxid can do and ignores the job's log") {
  auto question = question_for_change(7, job_status::running, seconds{500});
  CHECK(question.method == "WaitForJobChange");
  CHECK(question.args == R"([7,["status"],["running"],1000000000,29])");
  CHECK(question_for_change(7, job_status::queued, seconds{0}).args
        == R"([7,["status"],["queued"],1000000000,1])");
}

TEST_CASE("a submission gives an id for each job or says why not") {
  auto two = decode_submission(luxi_sample("submitted-two"), 2);
  CHECK(two.outcome == submit_outcome::accepted);
  CHECK(two.ids == std::vector<job_id>{28, 29});
  auto drained = decode_submission(
    R"({"success":false,"result":["GenericError",["Queue drained"]]})", 2);
  CHECK(drained.outcome == submit_outcome::refused);
  CHECK(drained.text == "GenericError: Queue drained");
  auto refused = decode_submission(luxi_sample("refused-no-reason"), 1);
  CHECK(refused.outcome == submit_outcome::refused);
  CHECK(refused.text.find("key 'reason' not found") != std::string::npos);
}

TEST_CASE("a submission that is not surely all or nothing is unknown") {
  auto text = GENERATE(as<std::string>{}, "", "{}", "[]",
                       R"({"success":true,"result":[[true,1]]})",
                       R"({"success":true,"result":[[true,1],[true,"2"]]})",
                       R"({"success":true,"result":[[true,1],[true,-2]]})",
                       R"({"success":true,"result":[[true,1],[false,"no"]]})",
                       R"({"success":true,"result":[1,2]})");
  auto answer = decode_submission(text, 2);
  CHECK(answer.outcome == submit_outcome::unknown);
  CHECK(answer.ids.empty());
  CHECK_FALSE(answer.text.empty());
}

TEST_CASE("trails are searched for a text, whatever state the job is in") {
  auto trails = decode_trails(luxi_sample("jobs-unfinished"));
  REQUIRE(trails.ok());
  auto both = search_trails(*trails, "incident=c1");
  CHECK(both.answered);
  CHECK(both.jobs.size() == 2);
  auto one = search_trails(*trails, "intent=i2");
  REQUIRE(one.jobs.size() == 1);
  CHECK(one.jobs[0].id == 29);
  CHECK(one.jobs[0].status == job_status::queued);
  auto none = search_trails(*trails, "intent=i3");
  CHECK(none.answered);
  CHECK(none.jobs.empty());
}

TEST_CASE("jobs in the archive are found by those who ask for them") {
  CHECK(question_for_all_jobs().args.find("archived") == std::string::npos);
  CHECK(question_for_all_jobs(true).args.find("archived") != std::string::npos);
  auto trails = decode_trails(
    R"({"success":true,"result":{"fields":[],"data":[)"
    R"([[0,7],[0,"error"],[0,[{"reason":[["gnt:daemon:maintd",)"
    R"("incident=c1 intent=i7",1]]}]],[0,true]],)"
    R"([[0,8],[0,"queued"],[0,[{"reason":[["gnt:daemon:maintd",)"
    R"("incident=c1 intent=i8",1]],"nodes":["n3"],"node_name":"n4"}]],)"
    R"([0,false]]]}})",
    true);
  REQUIRE(trails.ok());
  auto both = search_trails(*trails, "incident=c1");
  REQUIRE(both.jobs.size() == 2);
  CHECK(both.jobs[0].archived);
  CHECK(both.jobs[0].status == job_status::error);
  CHECK_FALSE(both.jobs[1].archived);
  CHECK(both.jobs[0].nodes.empty());
  auto named = both.jobs[1].nodes;
  std::sort(named.begin(), named.end());
  CHECK(named == std::vector<node_name>{"n3", "n4"});
}

TEST_CASE("a job in an odd state stops only the search that finds it") {
  auto trails = decode_trails(
    replaced(luxi_sample("jobs-unfinished"), "\"queued\"", "\"odd\""));
  REQUIRE(trails.ok());
  CHECK(search_trails(*trails, "intent=i1").answered);
  CHECK_FALSE(search_trails(*trails, "intent=i2").answered);
}

} // namespace orderly::ganeti_decode_jobs_test
