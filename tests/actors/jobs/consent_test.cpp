// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The last word of an owner before its job leaves, and jobs that may be sent
// but once.

#include "tests/actors/jobs/rig.hpp"

#include <caf/send.hpp>
#include <catch2/catch.hpp>

namespace orderly::jobs_consent_test {

namespace {

/// The submission arrives, or not, and its answer is lost.
void lose_answers(job_rig& b, bool arrives) {
  b.queue.on_submit = [&b, arrives](const job_submission& q) {
    if (arrives)
      b.queue.take(q);
    return says(submit_answer{submit_outcome::unknown, {}, "broken pipe"});
  };
}

} // namespace

TEST_CASE("the owner is asked after the intent is durable and before the job "
          "leaves") {
  job_rig b;
  b.last_said->silent = true;
  b.order("i-1");
  b.on.run_for(seconds{1});
  CHECK(b.disk->count("job") == 1);
  CHECK(b.last_said->asked == std::vector<intent_id>{"i-1"});
  CHECK(b.port->submissions.asked.empty());
}

TEST_CASE("what its owner does not want any more is withdrawn with the "
          "reason, and counts as untried") {
  job_rig b;
  b.last_said->say = {false, "the proof fell"};
  b.order("i-1");
  b.on.run_for(minutes{10});
  CHECK(b.port->submissions.asked.empty());
  CHECK(b.told("i-1") == "refused");
  REQUIRE(b.heard->size() == 1);
  CHECK(b.heard->back().untried);
  CHECK_FALSE(b.heard->back().absent);
  CHECK(b.heard->back().text.find("the proof fell") != std::string::npos);
}

TEST_CASE("without an answer of its owner no job leaves, and it is asked "
          "again") {
  job_rig b;
  b.last_said->silent = true;
  b.order("i-1");
  b.on.run_for(minutes{1});
  CHECK(b.port->submissions.asked.empty());
  CHECK(b.last_said->asked.size() > 1);
  b.last_said->silent = false;
  b.on.run_for(minutes{1});
  CHECK(b.sent("i-1") == 1);
}

TEST_CASE("an order goes stale by the clock of its evidence, however long "
          "its intent took to write") {
  job_rig b;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    b.disk->write(batch);
    return says(journal_ack{true, {}}, seconds{20});
  };
  job_order x;
  x.intent = "i-1";
  x.owner = "node:node1";
  x.why = "because";
  x.deadline = minutes{30};
  x.send_before = b.on.now() + seconds{19};
  x.ops.emplace_back();
  b.on.tell(b.actor, std::move(x), b.owner);
  b.on.run_for(hours{1});
  CHECK(b.port->submissions.asked.empty());
  CHECK(b.last_said->asked.empty());
  CHECK(b.told("i-1") == "refused");
}

TEST_CASE("the owner is asked again before each attempt") {
  job_rig b;
  auto refusals = 0;
  b.queue.on_submit = [&](const job_submission& q) {
    if (++refusals <= 2)
      return says(submit_answer{submit_outcome::refused, {}, "drained"});
    return says(b.queue.take(q));
  };
  b.order("i-1");
  b.on.run_for(minutes{1});
  CHECK(b.last_said->asked.size() == 3);
  CHECK(b.told("i-1") == "submitted");
}

TEST_CASE("what is withdrawn while the queue takes no jobs counts as untried, "
          "and what it refused for a reason of its own does not") {
  auto closed = GENERATE(true, false);
  job_rig b;
  b.queue.on_submit = [&](const job_submission&) {
    b.last_said->say = {false, "the proof fell"};
    return says(submit_answer{submit_outcome::refused,
                              {},
                              closed ? "Job queue is drained, refusing job"
                                     : "Wrong opcode"});
  };
  b.order("i-1");
  b.on.run_for(minutes{1});
  CHECK(b.told("i-1") == "refused");
  CHECK(b.heard->back().untried == closed);
  CHECK(b.heard->back().text.find(closed ? "is drained" : "Wrong opcode")
        != std::string::npos);
}

TEST_CASE("a lease that ends while the owner is asked keeps the job here") {
  job_rig b;
  b.last_said->on_ask = [&b] { caf::anon_send(b.actor, lease{}); };
  b.order("i-1");
  b.on.run_for(minutes{1});
  CHECK(b.last_said->asked.size() == 1);
  CHECK(b.port->submissions.asked.empty());
  b.last_said->on_ask = [] {};
  b.give_right();
  b.on.run_for(seconds{1});
  CHECK(b.sent("i-1") == 1);
}

TEST_CASE("what may be done but once is not sent again on absence, which "
          "two answered searches a grace apart must find") {
  job_rig b;
  lose_answers(b, false);
  b.order_once("r-1/1-failover");
  auto grace = b.on.rules().cluster.job_match_grace;
  b.on.run_for(grace + seconds{5});
  CHECK(b.port->trails.asked.size() == 1);
  CHECK(b.told("r-1/1-failover").empty());
  b.on.run_for(grace + seconds{5});
  REQUIRE(b.port->trails.asked.size() == 2);
  CHECK(b.port->trails.asked.back().archived);
  b.on.run_for(hours{1});
  CHECK(b.sent("r-1/1-failover") == 1);
  CHECK(b.told("r-1/1-failover") == "refused");
  CHECK(b.heard->back().absent);
}

TEST_CASE("the grace counts from an answer of luxid: a stalled one that "
          "executes late is found") {
  job_rig b;
  job_submission late;
  b.queue.on_submit = [&](const job_submission& q) {
    late = q;
    return says(submit_answer{submit_outcome::unknown, {}, "no answer"});
  };
  auto stalled = true;
  b.port->trails.answer = [&](const trail_query& q) {
    return stalled ? says(trail_answer{}) : says(b.queue.find(q));
  };
  b.order_once("r-1/1-failover");
  b.on.run_for(minutes{10});
  CHECK(b.told("r-1/1-failover").empty());
  // It answers again, and carries the submission out a moment later.
  stalled = false;
  auto before = b.port->trails.asked.size();
  while (b.port->trails.asked.size() == before)
    b.on.run_for(millis{100});
  b.queue.take(late);
  b.on.run_for(minutes{3});
  CHECK(b.sent("r-1/1-failover") == 1);
  CHECK(b.told("r-1/1-failover") == "submitted");
}

TEST_CASE("a job that was archived before it was found ended as the archive "
          "says") {
  job_rig b;
  lose_answers(b, true);
  b.order_once("r-1/1-failover");
  b.on.run_for(seconds{1});
  b.queue.jobs.front().status = job_status::error;
  b.queue.jobs.front().archived = true;
  b.on.run_for(hours{1});
  CHECK(b.sent("r-1/1-failover") == 1);
  CHECK(b.told("r-1/1-failover") == "ended error");
}

TEST_CASE("after a restart, too, absence does not send what may be done but "
          "once") {
  job_rig b;
  lose_answers(b, false);
  b.order_once("r-1/1-failover");
  b.on.run_for(seconds{1});
  b.restart();
  b.order_once("r-1/1-failover");
  b.on.run_for(hours{1});
  CHECK(b.sent("r-1/1-failover") == 1);
  CHECK(b.last("r-1/1-failover") == "refused");
  CHECK(b.heard->back().absent);
}

TEST_CASE("what is called back is cancelled for as long as it can be") {
  job_rig b;
  b.order("i-1");
  b.on.run_for(seconds{1});
  b.queue.jobs.front().status = job_status::queued;
  b.on.tell(b.actor, job_withdraw{"i-1"});
  b.on.run_for(minutes{5});
  CHECK(b.port->cancelled.size() > 2);
}

} // namespace orderly::jobs_consent_test
