// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Jobs: written down, sent once, watched to the end. What is unknown is looked
// for by its trail before anything is sent again.

#include "tests/actors/jobs/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::jobs_submitter_test {

TEST_CASE("the intent is durable before the submission leaves") {
  job_rig b;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    b.disk->write(batch);
    return says(journal_ack{true, {}}, seconds{3});
  };
  b.order("i-1");
  b.on.run_for(millis{2999});
  CHECK(b.disk->count("job") == 1);
  CHECK(b.port->submissions.asked.empty());
  b.on.run_for(millis{1});
  CHECK(b.sent("i-1") == 1);
}

TEST_CASE("an intent that cannot be written is never sent") {
  job_rig b;
  b.disk->writes.answer = [](const journal_batch&) {
    return says(journal_ack{false, "disk full"});
  };
  b.order("i-1");
  b.on.run_for(hours{1});
  CHECK(b.port->submissions.asked.empty());
}

TEST_CASE("a job is sent, watched, and its owner told how it went") {
  job_rig b;
  b.order("i-1");
  b.on.run_for(seconds{1});
  CHECK(b.told("i-1") == "submitted");
  b.queue.end("i-1", job_status::success);
  b.on.run_for(minutes{1});
  CHECK(b.told("i-1") == "submitted, ended success");
  CHECK(b.disk->count("job-submitted") == 1);
  CHECK(b.disk->count("job-ended") == 1);
  b.on.run_for(hours{1});
  CHECK(b.sent("i-1") == 1);
}

TEST_CASE("without the right to act no job leaves") {
  job_rig b;
  b.on.tell(b.actor, lease{});
  b.order("i-1");
  b.on.run_for(minutes{10});
  CHECK(b.port->submissions.asked.empty());
  b.on.tell(b.actor, lease{true, b.on.now() - seconds{1}, "run out"});
  CHECK(b.port->submissions.asked.empty());
  b.give_right();
  CHECK(b.sent("i-1") == 1);
}

TEST_CASE("the same intent asked for again is not sent again") {
  job_rig b;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    b.disk->write(batch);
    return says(journal_ack{true, {}}, seconds{1});
  };
  b.order("i-1");
  b.order("i-1"); // while it is being written
  b.on.run_for(seconds{5});
  b.order("i-1"); // while it runs
  CHECK(b.told("i-1") == "submitted, submitted");
  b.queue.end("i-1", job_status::error);
  b.on.run_for(minutes{1});
  b.order("i-1"); // after its end
  b.on.run_for(hours{1});
  CHECK(b.told("i-1") == "submitted, submitted, ended error, ended error");
  CHECK(b.sent("i-1") == 1);
}

TEST_CASE("a lost answer is no reason to send again: the job is found by its "
          "trail") {
  job_rig b;
  b.queue.on_submit = [&](const job_submission& q) {
    b.queue.take(q); // it arrived
    return says(submit_answer{submit_outcome::unknown, {}, "broken pipe"});
  };
  b.order("i-1");
  b.on.run_for(minutes{2});
  CHECK(b.sent("i-1") == 1);
  CHECK(b.told("i-1") == "submitted");
  b.queue.end("i-1", job_status::success);
  b.on.run_for(minutes{1});
  CHECK(b.told("i-1") == "submitted, ended success");
}

TEST_CASE("the trail is searched after the time that a late job may need") {
  job_rig b;
  b.queue.on_submit = [&](const job_submission&) {
    return reply<submit_answer>{}; // hangs
  };
  b.order("i-1");
  b.on.run_for(minutes{2} + b.on.rules().cluster.job_match_grace - seconds{1});
  CHECK(b.port->trails.asked.empty());
  b.on.run_for(seconds{2});
  CHECK(b.port->trails.asked.size() == 1);
}

TEST_CASE("a job that is not in the queue after a lost answer is sent once "
          "more") {
  job_rig b;
  auto losses = 1;
  b.queue.on_submit = [&](const job_submission& q) {
    if (losses-- > 0)
      return says(submit_answer{submit_outcome::unknown, {}, "broken pipe"});
    return says(b.queue.take(q));
  };
  b.order("i-1");
  b.on.run_for(minutes{5});
  CHECK(b.sent("i-1") == 2);
  CHECK(b.queue.jobs.size() == 1);
  CHECK(b.told("i-1") == "submitted");
}

TEST_CASE("while the queue does not answer nothing is sent again") {
  job_rig b;
  b.queue.on_submit = [&](const job_submission& q) {
    b.queue.take(q);
    return says(submit_answer{submit_outcome::unknown, {}, "broken pipe"});
  };
  b.port->trails.answer
    = [](const trail_query&) { return says(trail_answer{}); };
  b.order("i-1", minutes{30});
  b.on.run_for(minutes{29});
  CHECK(b.sent("i-1") == 1);
  CHECK(b.told("i-1").empty());
  b.on.run_for(minutes{5});
  CHECK(b.told("i-1") == "overdue");
  CHECK(b.sent("i-1") == 1);
}

TEST_CASE("one bad job in a batch does not take the others with it") {
  job_rig b;
  b.on.tell(b.actor, lease{});
  b.queue.on_submit = [&](const job_submission& q) {
    for (const auto& job : q.jobs)
      if (intent_in_trail(job.reason) == "i-2")
        return says(submit_answer{submit_outcome::refused, {}, "bad opcode"});
    return says(b.queue.take(q));
  };
  for (const auto* intent : {"i-1", "i-2", "i-3", "i-4"})
    b.order(intent);
  b.give_right(); // all four in one call
  REQUIRE(b.port->submissions.asked.size() > 1);
  CHECK(b.port->submissions.asked[0].jobs.size() == 4);
  b.on.run_for(seconds{30});
  for (const auto* intent : {"i-1", "i-3", "i-4"})
    CHECK(b.told(intent) == "submitted");
  b.on.run_for(minutes{20});
  CHECK(b.told("i-2") == "refused");
  CHECK(b.queue.jobs.size() == 3);
}

TEST_CASE("a job that goes on after our deadline is told as overdue") {
  job_rig b;
  b.order("i-1", minutes{10});
  b.on.run_for(minutes{10});
  CHECK(b.told("i-1") == "submitted");
  b.on.run_for(minutes{1});
  CHECK(b.told("i-1") == "submitted, overdue");
  CHECK(b.sent("i-1") == 1);
}

TEST_CASE("a job that waits again after our deadline is cancelled then") {
  job_rig b;
  b.order("i-1", minutes{10});
  b.on.run_for(minutes{1});
  b.queue.jobs.front().status = job_status::running;
  b.on.run_for(minutes{10});
  CHECK(b.told("i-1") == "submitted, overdue");
  CHECK(b.port->cancelled.empty());
  b.queue.jobs.front().status = job_status::waiting;
  b.on.run_for(minutes{2});
  REQUIRE_FALSE(b.port->cancelled.empty());
  CHECK(b.port->cancelled.back() == b.queue.jobs.front().id);
}

TEST_CASE("a stray job is watched, and cancelled whenever it waits") {
  job_rig b;
  b.queue.jobs.push_back({"r/web1/1-failover", 7, job_status::running, {}, {}});
  b.on.tell(b.actor, job_withdraw{"r/web1/1-failover", 7, "instance/web1"});
  b.on.run_for(minutes{1});
  auto before = b.port->cancelled.size();
  CHECK(before == 1);
  b.queue.jobs.front().status = job_status::waiting;
  b.on.run_for(minutes{10});
  CHECK(b.port->cancelled.size() > before);
}

TEST_CASE("nobody without the right to act cancels a stray job") {
  job_rig b;
  b.on.tell(b.actor, lease{});
  b.on.tell(b.actor, job_withdraw{"r/web1/1-failover", 7, "instance/web1"});
  b.on.run_for(minutes{1});
  CHECK(b.port->cancelled.empty());
}

TEST_CASE("too many open jobs are refused, not queued for ever") {
  settings rules;
  rules.cluster.jobs_open_max = 2;
  job_rig b{rules};
  for (const auto* intent : {"i-1", "i-2", "i-3"})
    b.order(intent);
  CHECK(b.told("i-3") == "refused");
  b.queue.end("i-1", job_status::success);
  b.on.run_for(minutes{1});
  b.order("i-4");
  b.on.run_for(minutes{1});
  CHECK(b.told("i-4") == "submitted");
  CHECK(b.sent("i-3") == 0);
}

TEST_CASE("a queue that does not answer questions is asked again, slower") {
  job_rig b;
  b.order("i-1");
  b.on.run_for(seconds{1});
  b.port->watches.answer = [](const job_watch& q) {
    job_state x;
    x.id = q.id;
    return says(std::move(x));
  };
  auto before = b.port->watches.asked.size();
  b.on.run_for(minutes{5});
  auto asked = b.port->watches.asked.size() - before;
  CHECK(asked > 3);
  CHECK(asked < 20);
  CHECK(b.told("i-1") == "submitted");
}

TEST_CASE("one question at a time is out about a job") {
  job_rig b;
  // The commit of "job-submitted" takes long, and others wake us meanwhile.
  b.order("i-1");
  b.on.settle();
  b.disk->writes.answer = [&](const journal_batch& batch) {
    b.disk->write(batch);
    return says(journal_ack{true, {}}, seconds{10});
  };
  b.order("i-2");
  b.queue.on_submit
    = [&](const job_submission& q) { return says(b.queue.take(q)); };
  b.on.run_for(seconds{11}); // written and sent
  b.on.tell(b.actor, tick{});
  b.on.run_for(seconds{25});
  std::size_t open = 0;
  for (const auto& q : b.port->watches.asked)
    if (q.id == b.queue.id_of("i-2"))
      ++open;
  CHECK(open <= 2);
}

} // namespace orderly::jobs_submitter_test
