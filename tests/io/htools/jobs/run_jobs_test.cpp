// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// hbal -X beside a query daemon that takes jobs: what it submits, when it
// waits, and where it stops. The opcodes are those of Debian's hbal 3.0.2.

#include "io/htools/jobs/run_jobs.hpp"
#include "io/htools/jobs/stop_signals.hpp"
#include "tests/support/planning/recorded_luxid.hpp"
#include "tests/support/planning/tool_run.hpp"

#include <csignal>

namespace orderly::jobs_run_jobs_test {

using namespace orderly::io::htools;

namespace {

/// A daemon with a job queue. Jobs have the numbers from 101 on, and are what
/// `states` says, one after the other; success when that is used up.
struct job_queue {
  std::vector<json> submitted; ///< each a list of jobs
  std::vector<std::string> states;
  std::size_t questions = 0;
  std::string refusal; ///< of the first job of each set
  bool deaf = false;   ///< it closes instead of an answer about jobs
  bool lost = false;   ///< the same about a submission
  std::function<void()> on_submit = [] {};
  int next = 101;

  std::optional<json> answer(const std::string& method, const json& asked) {
    if (method == "SubmitManyJobs")
      return submit(asked);
    if (deaf)
      return std::nullopt;
    auto state = questions < states.size() ? states[questions] : "success";
    ++questions;
    auto rows = json::array();
    for (std::size_t k = 0; k < asked.at(0).size(); ++k)
      rows.push_back(state == "archived" ? json{} : json::array({state}));
    return json{{"success", true}, {"result", rows}};
  }

  std::optional<json> submit(const json& asked) {
    submitted.push_back(asked.at(0));
    on_submit();
    if (lost)
      return std::nullopt;
    auto rows = json::array();
    for (std::size_t k = 0; k < asked.at(0).size(); ++k)
      if (k == 0 && !refusal.empty())
        rows.push_back(json::array({false, refusal}));
      else
        rows.push_back(json::array({true, next++}));
    return json{{"success", true}, {"result", rows}};
  }
};

struct told {
  std::string wrong;
  std::string said;
  int pauses = 0;
};

const std::vector<move_set> three_sets{
  {{"a", "[{\"OP_ID\":\"X\"}]"}, {"b", "[{\"OP_ID\":\"Y\"}]"}},
  {{"c", "[]"}},
  {{"d", "[]"}}};

told run(job_queue& queue, std::function<bool()> stop = {}) {
  recorded_luxid luxid{{}, [&](const auto& method, const auto& asked) {
                         return queue.answer(method, asked);
                       }};
  told t;
  run_watch watch;
  watch.is_stop_wanted = stop ? stop : [] { return false; };
  watch.pause = [&](auto) { ++t.pauses; };
  watch.say = [&](const auto& line) { t.said += line; };
  watch.patience = std::chrono::seconds{5};
  t.wrong = run_sets(luxid.path(), three_sets, watch);
  return t;
}

} // namespace

TEST_CASE("sets of jobs are submitted one after the other has ended") {
  job_queue queue;
  queue.states = {"queued", "waiting", "running", "success", "running"};
  auto t = run(queue);
  CHECK(t.wrong.empty());
  CHECK(t.said
        == "Executing jobset for instances a, b\nGot job IDs 101, 102\n"
           "Executing jobset for instances c\nGot job IDs 103\n"
           "Executing jobset for instances d\nGot job IDs 104\n");
  REQUIRE(queue.submitted.size() == 3);
  CHECK(queue.submitted[0].dump() == R"([[{"OP_ID":"X"}],[{"OP_ID":"Y"}]])");
  CHECK(queue.questions == 7);
  CHECK(t.pauses == 7);
}

TEST_CASE("where a job does not succeed nothing more is submitted") {
  for (const auto* end : {"error", "canceled"}) {
    job_queue queue;
    queue.states = {"running", "success", "running", end};
    auto t = run(queue);
    CHECK(queue.submitted.size() == 2);
    CHECK(t.wrong
          == fmt::format("Not all jobs completed successfully: job 103 of c: "
                         "{}\nAborting; 1 of 3 jobset(s) were done before it.",
                         end));
  }
}

TEST_CASE("a set of which a job was refused is waited for, and is the last") {
  job_queue queue;
  queue.refusal = "the queue is drained";
  queue.states = {"running", "running"};
  auto t = run(queue);
  CHECK(queue.submitted.size() == 1);
  CHECK(queue.questions == 3);
  CHECK(t.said == "Executing jobset for instances a, b\nGot job IDs 101\n");
  CHECK(t.wrong
        == "Job submission error: that of a: the queue is drained\n"
           "Aborting; 0 of 3 jobset(s) were done before it.");
}

TEST_CASE("a submission without an answer is not repeated, and is said") {
  job_queue queue;
  queue.lost = true;
  auto t = run(queue);
  CHECK(queue.submitted.size() == 1);
  CHECK(says(t.wrong, "whether Ganeti took the jobs of a, b is not known: see "
                      "gnt-job list before anything else"));
}

TEST_CASE("the fifth silence in a row about jobs that run ends the wait") {
  job_queue queue;
  queue.deaf = true;
  auto t = run(queue);
  CHECK(t.pauses == 5);
  CHECK(says(t.wrong, "Checking job status: "));
  CHECK(says(t.wrong, "jobs 101, 102 may still run"));
  CHECK(queue.submitted.size() == 1);
}

TEST_CASE("a job that Ganeti does not know any more has not succeeded") {
  job_queue queue;
  queue.states = {"archived"};
  auto t = run(queue);
  CHECK(says(t.wrong, "does not say what job 101 of a is"));
  CHECK(queue.submitted.size() == 1);
}

TEST_CASE("a wish to stop ends the run behind the set that runs") {
  job_queue queue;
  queue.states = {"running", "running"};
  auto t = run(queue, [&] { return !queue.submitted.empty(); });
  CHECK(t.wrong.empty());
  CHECK(queue.questions == 3);
  CHECK(queue.submitted.size() == 1);
  CHECK(says(t.said, "Exiting early due to user request, 1 jobset(s) "
                     "submitted, 2 not submitted\n"));
}

namespace {

outcome run_hbal_on(job_queue& queue, std::vector<std::string> more) {
  recorded_luxid luxid{json::parse(text_of("luxi.json")),
                       [&](const auto& method, const auto& asked) {
                         return queue.answer(method, asked);
                       }};
  more.insert(more.end(),
              {luxid.option(), "-G", "rack2", "-X", "--search=exact"});
  return run_as_reference(tool::hbal, more);
}

} // namespace

TEST_CASE("hbal -X submits the reference's opcodes, set by set") {
  job_queue queue;
  auto r = run_hbal_on(queue, {"--priority=low", "--reason=why"});
  CHECK(r.code == 0);
  CHECK(says(r.out, "Solution length=4\n"
                    "Executing jobset for instances inst8.gnt.test\n"
                    "Got job IDs 101\n"));
  REQUIRE(queue.submitted.size() == 4);
  auto op = queue.submitted[0].at(0).at(0);
  CHECK(op.at("reason").at(0).at(0) == "hbal");
  CHECK(op.at("reason").at(0).at(1) == "why");
  CHECK(op.at("reason").at(0).at(2).is_number_integer());
  CHECK(says(op.at("comment"), "rebalancing via hbal"));
  op.erase("reason");
  op.erase("comment");
  CHECK(op == json::parse(R"({"priority": 10, "depends": null,
    "OP_ID": "OP_INSTANCE_MIGRATE", "instance_name": "inst8.gnt.test",
    "target_node": "node4.gnt.test", "allow_runtime_changes": false,
    "ignore_ipolicy": false, "cleanup": false, "allow_failover": true,
    "ignore_hvversions": true})"));
  op = queue.submitted[1].at(0).at(0);
  op.erase("reason");
  op.erase("comment");
  CHECK(op == json::parse(R"({"priority": 10, "depends": null,
    "OP_ID": "OP_INSTANCE_REPLACE_DISKS", "instance_name": "inst10.gnt.test",
    "early_release": false, "ignore_ipolicy": false,
    "mode": "replace_new_secondary", "disks": [],
    "remote_node": "node5.gnt.test"})"));
}

TEST_CASE("hbal -X runs the first set alone if it is told to") {
  job_queue queue;
  auto r = run_hbal_on(queue, {"--first-job-group"});
  CHECK(r.code == 0);
  CHECK(queue.submitted.size() == 1);
  CHECK(queue.submitted[0].at(0).at(0).at("priority") == 0);
}

TEST_CASE("hbal -X ends with 1 where a job fails") {
  job_queue queue;
  queue.states = {"error"};
  auto r = run_hbal_on(queue, {});
  CHECK(r.code == 1);
  CHECK(says(r.err, "Error: hbal: Not all jobs completed successfully: job 101 "
                    "of inst8.gnt.test: error\nAborting; 0 of 4"));
}

TEST_CASE("hbal -X stops behind the set that runs when SIGINT comes") {
  job_queue queue;
  queue.on_submit = [] { ::kill(::getpid(), SIGINT); };
  auto r = run_hbal_on(queue, {});
  CHECK(r.code == 0);
  CHECK(queue.submitted.size() == 1);
  CHECK(says(r.out, "Cancel request registered, will exit at the end of the "
                    "current job set...\n"));
  CHECK(says(r.out, "1 jobset(s) submitted, 3 not submitted\n"));
}

TEST_CASE("with JSON only the plan is on the output of hbal -X") {
  job_queue queue;
  auto r = run_hbal_on(queue, {"--output=json", "--first-job-group"});
  CHECK(r.code == 0);
  CHECK(json::parse(r.out).at("steps").size() == 4);
  CHECK(says(r.err, "Got job IDs 101\n"));
}

TEST_CASE("without a query socket hbal -X plans and ends with 1") {
  draft file{"g|u|preferred||\n\n"
             "n1|20000|1000|9000|0|0|8|M|u|8\n"
             "n2|20000|1000|19000|0|0|8|N|u|8\n\n"
             "web|5000|1024|1|running|Y|n1||ext||1\n"
             "db|5000|1024|1|running|Y|n1||rbd||1\n\n\n"};
  auto r = run_as_reference(tool::hbal, {"-t", file.path(), "-X"});
  CHECK(says(r.out, "Solution length=1\n"));
  CHECK(r.code == 1);
  CHECK(
    says(r.err, "Error: hbal: Execution of commands possible only on LUXI\n"));
}

} // namespace orderly::jobs_run_jobs_test
