// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Jobs across the death of the daemon: the journal and the queue are all that
// is left, and no intent is carried out twice.

#include "tests/actors/jobs/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::jobs_restart_test {

TEST_CASE("a job from before a restart is watched to its end and told") {
  job_rig b;
  b.order("i-1");
  b.on.run_for(seconds{1});
  CHECK(b.told("i-1") == "submitted");
  b.restart();
  CHECK(b.port->trails.asked.empty()); // its number is known
  b.order("i-1");                      // the owner comes back
  b.on.run_for(minutes{1});
  b.queue.end("i-1", job_status::success);
  b.on.run_for(minutes{1});
  CHECK(b.last("i-1") == "ended success");
  CHECK(b.sent("i-1") == 1);
}

TEST_CASE(
  "a job that was overdue before its owner came back is told as overdue, "
  "and then as ended") {
  job_rig b;
  b.order("i-1", minutes{10});
  b.on.run_for(seconds{1});
  b.restart();
  b.queue.jobs.front().status = job_status::running;
  b.on.run_for(minutes{15}); // seen while the owner is not there yet
  CHECK(b.told("i-1") == "submitted");
  b.order("i-1");
  CHECK(b.last("i-1") == "overdue");
  b.queue.end("i-1", job_status::success);
  b.on.run_for(minutes{1});
  CHECK(b.last("i-1") == "ended success");
  CHECK(b.sent("i-1") == 1);
}

TEST_CASE("an end that nobody was told is told after the restart") {
  job_rig b;
  b.order("i-1");
  b.on.run_for(seconds{1});
  b.restart();
  b.queue.end("i-1", job_status::error);
  b.on.run_for(minutes{1}); // seen while the owner is not there yet
  CHECK(b.told("i-1") == "submitted");
  b.order("i-1");
  CHECK(b.last("i-1") == "ended error");
  CHECK(b.sent("i-1") == 1);
}

TEST_CASE("an intent that ended before a restart is told again, not sent "
          "again") {
  job_rig b;
  b.order("i-1");
  b.on.run_for(seconds{1});
  b.queue.end("i-1", job_status::success);
  b.on.run_for(minutes{1});
  b.restart();
  b.order("i-1");
  b.on.run_for(hours{1});
  CHECK(b.told("i-1") == "submitted, ended success, ended success");
  CHECK(b.sent("i-1") == 1);
}

TEST_CASE("a job sent right before the crash is found by its trail") {
  job_rig b;
  b.queue.on_submit = [&](const job_submission& q) {
    b.queue.take(q);
    return reply<submit_answer>{}; // the answer meets nobody
  };
  b.order("i-1");
  b.restart();
  b.order("i-1");
  b.on.run_for(minutes{2});
  CHECK(b.sent("i-1") == 1);
  CHECK(b.last("i-1") == "submitted");
  CHECK(b.queue.jobs.size() == 1);
}

TEST_CASE("a job on its way to the queue at the crash is waited for") {
  job_rig b;
  job_submission late;
  b.queue.on_submit = [&](const job_submission& q) {
    late = q;
    return reply<submit_answer>{};
  };
  b.order("i-1");
  REQUIRE(b.sent("i-1") == 1);
  b.restart();
  b.queue.on_submit
    = [&](const job_submission& q) { return says(b.queue.take(q)); };
  b.order("i-1");
  b.on.run_for(seconds{5});
  b.on.tell(b.actor, tick{}); // others wake it too
  b.on.run_for(seconds{5});
  b.queue.take(late); // a real queue takes that long
  b.on.run_for(minutes{2});
  CHECK(b.sent("i-1") == 1);
  CHECK(b.queue.jobs.size() == 1);
  CHECK(b.last("i-1") == "submitted");
}

TEST_CASE("an intent that was never sent is sent when its owner comes back") {
  job_rig b;
  b.on.tell(b.actor, lease{});
  b.order("i-1");
  b.restart();
  b.order("i-1");
  b.on.run_for(minutes{2});
  CHECK(b.sent("i-1") == 1);
  CHECK(b.last("i-1") == "submitted");
}

TEST_CASE("an intent that was never sent and is not wanted any more is not "
          "sent") {
  job_rig b;
  b.on.tell(b.actor, lease{});
  b.order("i-1");
  b.restart();
  b.on.run_for(minutes{10});
  CHECK(b.sent("i-1") == 0);
  // Wanted after all, later.
  b.order("i-1");
  b.on.run_for(minutes{2});
  CHECK(b.sent("i-1") == 1);
}

TEST_CASE("an order without a job only asks how the intent stands") {
  job_rig b;
  b.ask_for("i-0");
  CHECK(b.told("i-0") == "refused"); // never heard of
  b.order("i-1");
  b.on.run_for(seconds{1});
  b.restart();
  b.ask_for("i-1");
  b.queue.end("i-1", job_status::success);
  b.on.run_for(minutes{1});
  CHECK(b.last("i-1") == "ended success");
  b.on.tell(b.actor, lease{});
  b.order("i-2");
  b.restart();
  b.ask_for("i-2");
  b.on.run_for(minutes{10});
  CHECK(b.last("i-2") == "refused");
  CHECK(b.sent("i-1") == 1);
  CHECK(b.sent("i-0") + b.sent("i-2") == 0);
}

TEST_CASE("two crashes in a row do not send an intent twice") {
  job_rig b;
  b.on.tell(b.actor, lease{});
  b.order("i-1");
  b.restart();
  b.on.run_for(minutes{10}); // found to be not sent
  // Sent at last; the daemon dies while the job is on its way to the queue.
  job_submission late;
  b.queue.on_submit = [&](const job_submission& q) {
    late = q;
    return reply<submit_answer>{};
  };
  b.order("i-1");
  REQUIRE(b.sent("i-1") == 1);
  b.restart();
  b.queue.on_submit
    = [&](const job_submission& q) { return says(b.queue.take(q)); };
  b.order("i-1");
  b.on.run_for(seconds{10});
  b.queue.take(late); // a real queue takes that long
  b.on.run_for(minutes{2});
  CHECK(b.sent("i-1") == 1);
  CHECK(b.queue.jobs.size() == 1);
  CHECK(b.last("i-1") == "submitted");
}

TEST_CASE("orders that come before the journal was read wait for it") {
  job_rig b;
  b.order("i-1");
  b.on.run_for(seconds{1});
  auto read = b.disk->reads.answer;
  b.disk->reads.answer
    = [](const journal_read&) { return says(journal_contents{}); };
  b.restart();
  b.order("i-1");
  b.order("i-2");
  b.on.run_for(minutes{1});
  CHECK(b.sent("i-2") == 0);
  b.disk->reads.answer = read;
  b.on.run_for(minutes{1});
  CHECK(b.sent("i-1") == 1);
  CHECK(b.sent("i-2") == 1);
}

TEST_CASE("an owner's new intent makes its ended ones forgotten") {
  job_rig b;
  b.order("i-1");
  b.on.run_for(seconds{1});
  b.queue.end("i-1", job_status::success);
  b.on.run_for(minutes{1});
  CHECK(b.disk->states.count("intent:i-1") == 1);
  b.order("i-2");
  b.on.run_for(seconds{1});
  CHECK(b.disk->states.count("intent:i-1") == 0);
  CHECK(b.disk->states.count("intent:i-2") == 1);
}

} // namespace orderly::jobs_restart_test
