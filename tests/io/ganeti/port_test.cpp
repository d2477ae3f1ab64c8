// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/io/ganeti/rig.hpp"

namespace orderly::ganeti_port_test {

using namespace orderly::io;
using test::hang_up;
using test::luxi_rig;
using test::luxi_sample;
using test::reaction;

TEST_CASE("the cluster port composes a picture and knows the master") {
  luxi_rig b;
  auto answer = b.read();
  REQUIRE(answer.picture);
  CHECK(answer.is_master);
  CHECK(answer.picture->nodes.size() == 5);
  CHECK(answer.picture->instances.size() == 8);
  CHECK(answer.picture->jobs.size() == 2);
  b.replies.set("QueryConfigValues",
                R"({"success":true,"result":["c","node2.gnt.test"]})");
  auto moved = b.read();
  REQUIRE(moved.picture);
  CHECK_FALSE(moved.is_master);
}

TEST_CASE("a picture without news is the same object, one with news is not") {
  luxi_rig b;
  auto first = b.read().picture;
  REQUIRE(first);
  CHECK(b.read().picture == first);
  // Other bytes that say the same.
  auto spaced = test::replaced(luxi_sample("tags"), "{", "{ ");
  b.replies.set("QueryTags", spaced);
  CHECK(b.read().picture == first);
  b.replies.set("QueryTags", R"({"success":true,"result":["news"]})");
  auto second = b.read().picture;
  REQUIRE(second);
  CHECK(second != first);
  CHECK(second->tags == std::vector<std::string>{"news"});
}

TEST_CASE("the queue is read before what its jobs may change") {
  luxi_rig b;
  std::atomic<bool> read{false};
  std::atomic<int> early{0};
  b.replies.set_first(
    [&](const std::string& request) -> std::optional<reaction> {
      if (request.find("\"ops\"]") == std::string::npos) {
        early += read ? 0 : 1;
        return std::nullopt;
      }
      // Whatever was asked beside it would come meanwhile.
      std::this_thread::sleep_for(millis{50});
      read = true;
      return std::nullopt;
    });
  REQUIRE(b.read().picture);
  CHECK(read);
  CHECK(early == 0);
}

TEST_CASE("a part of the picture that fails leaves no picture but a reason") {
  auto part
    = GENERATE(as<std::string>{}, "[\"node\"", "[\"instance\"", "[\"group\"",
               "\"ops\"]", "QueryConfigValues", "QueryTags");
  auto how = GENERATE(0, 1, 2);
  luxi_rig b;
  REQUIRE(b.read().picture);
  if (how == 0)
    b.replies.set(part, hang_up);
  else
    b.replies.set(part, how == 1 ? "no JSON"
                                 : R"({"success":false,"result":"busy"})");
  auto answer = b.read();
  CHECK_FALSE(answer.picture);
  CHECK_FALSE(answer.is_master);
  CHECK_FALSE(answer.text.empty());
}

TEST_CASE("with luxid away nothing is claimed to be known") {
  luxi_rig b;
  b.luxid.crash();
  CHECK_FALSE(b.read().picture);
  auto watched = b.watch(7, job_status::running);
  CHECK_FALSE(watched.answered);
  CHECK(watched.status == job_status::running);
  CHECK_FALSE(watched.text.empty());
  auto found = b.ask<trail_answer>(b.ports.jobs, trail_query{"x"});
  CHECK_FALSE(found.answered);
  CHECK(b.submit("i").outcome == submit_outcome::unknown);
  auto canceled = b.ask<job_state>(b.ports.jobs, job_cancel{7});
  CHECK_FALSE(canceled.answered);
  b.luxid.restart();
  CHECK(b.read().picture);
}

TEST_CASE("a luxid that hangs gives no answer, in time") {
  luxi_rig b;
  b.replies.set("\"ops\"]", reaction{"x", false, 0, seconds{3}});
  auto begin = std::chrono::steady_clock::now();
  auto found = b.ask<trail_answer>(b.ports.jobs, trail_query{"x"});
  CHECK_FALSE(found.answered);
  CHECK(found.jobs.empty());
  CHECK(std::chrono::steady_clock::now() - begin < seconds{2});
}

TEST_CASE("a question about jobs may take as long as the settings say when it "
          "is asked") {
  luxi_rig b;
  b.replies.set_first([](const std::string&) -> std::optional<reaction> {
    return reaction{luxi_sample("jobs-unfinished") + '\x03', false, 0,
                    millis{300}};
  });
  auto answered = [&] {
    std::vector<bool> all;
    all.push_back(b.ask<trail_answer>(b.ports.jobs, trail_query{"x"}).answered);
    all.push_back(b.ask<job_lookup_answer>(b.ports.jobs, job_lookup{{7}})
                    .text.find("in time")
                  == std::string::npos);
    return all;
  };
  b.poll_timeout = millis{50};
  CHECK(answered() == std::vector<bool>{false, false});
  b.poll_timeout = seconds{5};
  CHECK(answered() == std::vector<bool>{true, true});
}

TEST_CASE("a submission tells taken, refused and unknown apart") {
  luxi_rig b;
  b.replies.set("SubmitManyJobs", R"({"success":true,"result":[[true,5]]})");
  auto taken = b.submit("i");
  CHECK(taken.outcome == submit_outcome::accepted);
  CHECK(taken.ids == std::vector<job_id>{5});
  b.replies.set(
    "SubmitManyJobs",
    R"({"success":false,"result":["GenericError",["Queue drained"]]})");
  auto refused = b.submit("i");
  CHECK(refused.outcome == submit_outcome::refused);
  CHECK(refused.text == "GenericError: Queue drained");
  b.replies.set("SubmitManyJobs", hang_up);
  CHECK(b.submit("i").outcome == submit_outcome::unknown);
  b.replies.set("SubmitManyJobs", "garbage");
  CHECK(b.submit("i").outcome == submit_outcome::unknown);
  CHECK(b.submit("").outcome == submit_outcome::refused);
  auto nothing = b.ask<submit_answer>(b.ports.jobs, job_submission{});
  CHECK(nothing.outcome == submit_outcome::accepted);
}

TEST_CASE("the newest picture tells where no allocator may be named") {
  luxi_rig b;
  b.replies.set("SubmitManyJobs", R"({"success":true,"result":[[true,5]]})");
  REQUIRE(b.read().picture);
  b.submit("inst3.gnt.test", "hail");
  CHECK(b.luxid.requests().back().find("\"iallocator\":\"hail\"")
        != std::string::npos);
  b.submit("inst1.gnt.test", "hail");
  CHECK(b.luxid.requests().back().find("iallocator") == std::string::npos);
}

TEST_CASE("a watch answers with a new status, or with the end and its error") {
  luxi_rig b;
  b.replies.set("WaitForJobChange", luxi_sample("change"));
  auto running = b.watch(28, job_status::queued);
  CHECK(running.answered);
  CHECK(running.status == job_status::running);
  b.replies.set("WaitForJobChange",
                R"({"success":true,"result":[["error"],[]]})");
  b.replies.set("\"opresult\"]", luxi_sample("job-failed"));
  auto failed = b.watch(18, job_status::running);
  CHECK(failed.answered);
  CHECK(failed.status == job_status::error);
  CHECK(failed.text.find("does not allow failovers") != std::string::npos);
}

TEST_CASE("a job is lost only if the queue says so twice") {
  luxi_rig b;
  b.replies.set("WaitForJobChange", luxi_sample("change-lost"));
  b.replies.set("\"opresult\"]", luxi_sample("job-unknown"));
  auto lost = b.watch(99999, job_status::queued);
  CHECK(lost.answered);
  CHECK(lost.status == job_status::lost);
  b.replies.set("\"opresult\"]", hang_up);
  auto open = b.watch(99999, job_status::queued);
  CHECK_FALSE(open.answered);
  CHECK(open.status == job_status::queued);
}

TEST_CASE("a luxid that does not wait is not asked in a circle") {
  luxi_rig b;
  b.replies.set("WaitForJobChange", luxi_sample("change"));
  auto same = b.watch(28, job_status::running);
  CHECK_FALSE(same.answered);
  CHECK(same.status == job_status::running);
}

TEST_CASE("a wait that breaks falls back to a look at the job") {
  luxi_rig b;
  b.replies.set("WaitForJobChange", hang_up);
  b.replies.set("\"opresult\"]", luxi_sample("job-canceled"));
  auto ended = b.watch(31, job_status::running);
  CHECK(ended.answered);
  CHECK(ended.status == job_status::canceled);
}

TEST_CASE("searches that come together read the queue few times") {
  luxi_rig b;
  b.replies.set("\"ops\"]", reaction{luxi_sample("jobs-unfinished") + '\x03',
                                     false, 0, millis{100}});
  caf::scoped_actor self{b.system};
  std::size_t found = 0;
  auto one = self->request(b.ports.jobs, seconds{10}, trail_query{"intent=i1"});
  auto two = self->request(b.ports.jobs, seconds{10}, trail_query{"intent=i2"});
  auto six = self->request(b.ports.jobs, seconds{10}, trail_query{"intent=i6"});
  auto count = [&](const trail_answer& x) {
    CHECK(x.answered);
    found += x.jobs.size();
  };
  auto fail = [](const caf::error&) { FAIL_CHECK("no answer"); };
  one.receive(count, fail);
  two.receive(count, fail);
  six.receive(count, fail);
  CHECK(found == 2);
  CHECK(b.luxid.requests().size() == 2);
}

TEST_CASE("a cancellation answers with the job's status and luxid's words") {
  luxi_rig b;
  b.replies.set("CancelJob", luxi_sample("cancel"));
  b.replies.set("\"opresult\"]", luxi_sample("job-canceled"));
  auto done = b.ask<job_state>(b.ports.jobs, job_cancel{31});
  CHECK(done.answered);
  CHECK(done.status == job_status::canceled);
  CHECK(done.text == "Dequeued job 31");
}

} // namespace orderly::ganeti_port_test
