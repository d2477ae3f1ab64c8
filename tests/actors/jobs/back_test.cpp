// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Jobs that their owner calls back, wherever they are on their way.

#include "tests/actors/jobs/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::jobs_back_test {

namespace {

struct back_rig : job_rig {
  void call_back(const intent_id& intent) {
    on.tell(actor, job_withdraw{intent});
  }
};

} // namespace

TEST_CASE("a job that is called back while its intent is written is never "
          "sent") {
  back_rig b;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    b.disk->write(batch);
    return says(journal_ack{true, {}}, seconds{1});
  };
  b.order("i-1");
  b.call_back("i-1");
  b.on.run_for(minutes{10});
  CHECK(b.sent("i-1") == 0);
  CHECK(b.told("i-1") == "refused");
}

TEST_CASE("a job that is called back while it is sent is cancelled once it is "
          "known") {
  back_rig b;
  b.queue.on_submit = [&](const job_submission& q) {
    return says(b.queue.take(q), seconds{30});
  };
  b.order("i-1");
  b.on.run_for(seconds{1});
  b.call_back("i-1");
  CHECK(b.port->cancelled.empty());
  b.on.run_for(minutes{1});
  CHECK(b.port->cancelled == std::vector<job_id>{b.queue.id_of("i-1")});
}

TEST_CASE("a job that is called back while it is searched for is cancelled "
          "where it is found, and else not sent again") {
  for (bool arrived : {true, false}) {
    back_rig b;
    b.queue.on_submit = [&](const job_submission& q) {
      if (arrived)
        b.queue.take(q);
      return says(submit_answer{submit_outcome::unknown, {}, "broken pipe"});
    };
    b.order("i-1");
    b.on.run_for(seconds{1});
    b.call_back("i-1");
    b.on.run_for(minutes{5});
    CHECK(b.sent("i-1") == 1);
    CHECK(b.port->cancelled.size() == (arrived ? 1 : 0));
    CHECK(b.last("i-1") == (arrived ? "submitted" : "refused"));
  }
}

TEST_CASE("a job that is called back is sought at once, and all the time until "
          "it is found") {
  back_rig b;
  b.queue.on_submit = [&](const job_submission& q) {
    b.queue.take(q);
    return says(submit_answer{submit_outcome::unknown, {}, "broken pipe"});
  };
  auto mute = true; // nobody finds anything yet
  b.port->trails.answer = [&](const trail_query& q) {
    return says(mute ? trail_answer{} : b.queue.find(q));
  };
  b.order("i-1");
  b.on.run_for(seconds{1});
  b.call_back("i-1");
  b.on.run_for(seconds{10});
  CHECK(b.port->cancelled.empty());
  mute = false;
  b.on.run_for(seconds{3});
  CHECK(b.port->cancelled == std::vector<job_id>{b.queue.id_of("i-1")});
}

TEST_CASE(
  "that a job which is called back is not found means something after a "
  "while only") {
  back_rig b;
  b.queue.on_submit = [&](const job_submission&) {
    return says(submit_answer{submit_outcome::unknown, {}, "broken pipe"});
  };
  b.order("i-1");
  b.on.run_for(seconds{1});
  b.call_back("i-1");
  auto grace = b.on.ctx()->rules()->cluster.job_match_grace;
  b.on.run_for(2 * grace - seconds{2});
  CHECK(b.last("i-1") != "refused");
  b.on.run_for(seconds{10});
  CHECK(b.last("i-1") == "refused");
}

TEST_CASE("a cancel that is not answered is said again until it is") {
  back_rig b;
  b.queue.on_submit = [&](const job_submission& q) {
    auto taken = b.queue.take(q);
    b.queue.jobs.back().status = job_status::waiting;
    return says(std::move(taken));
  };
  b.order("i-1");
  b.on.run_for(seconds{1});
  b.port->cancels_heard = false;
  b.call_back("i-1");
  b.on.run_for(millis{3500}); // after 1 s, and 2 s more
  CHECK(b.port->cancelled.size() == 3);
  SECTION("which may take long: it is said once at a time") {
    auto before = b.port->cancelled.size();
    b.on.run_for(minutes{60});
    CHECK(b.port->cancelled.size() - before <= 60 * 60 / 5);
  }
  auto said = b.port->cancelled.size();
  b.port->cancels_heard = true;
  b.on.run_for(seconds{10});
  CHECK(b.port->cancelled.size() == said + 1);
}

TEST_CASE("a job that the queue refuses is not tried again after it was called "
          "back") {
  back_rig b;
  b.queue.on_submit = [&](const job_submission&) {
    return says(submit_answer{submit_outcome::refused, {}, "drained"},
                seconds{1});
  };
  b.order("i-1");
  b.call_back("i-1");
  b.on.run_for(minutes{10});
  CHECK(b.sent("i-1") == 1);
  CHECK(b.told("i-1") == "refused");
}

TEST_CASE("who canceled a job is judged by a reading from after its end") {
  back_rig b;
  auto length = b.on.rules().leader.lease;
  auto lead = [&] {
    b.on.tell(b.actor,
              lease{true, b.on.now() + length, "master is node1", "node1"});
  };
  lead();
  b.queue.on_submit = [&](const job_submission& q) {
    auto answer = b.queue.take(q);
    b.queue.end("i-1", job_status::canceled);
    return says(answer);
  };
  b.order("i-1");
  b.on.run_for(seconds{10});
  CHECK(b.told("i-1") == "submitted");
  auto by_another = false;
  SECTION("we are master still: a person did") {
    lead();
  }
  SECTION("another one is: it may have") {
    b.on.tell(b.actor, lease{false, b.on.now(), "node4 is master", "node4"});
    by_another = true;
  }
  SECTION("another one was, and we are again") {
    b.on.tell(b.actor, lease{false, b.on.now(), "node4 is master", "node4"});
    lead();
    by_another = true;
  }
  b.on.run_for(length);
  CHECK(b.last("i-1") == "ended canceled");
  CHECK(b.heard->back().by_another == by_another);
}

TEST_CASE("that the right to act ran out makes nobody else a master") {
  back_rig b;
  b.queue.on_submit = [&](const job_submission& q) {
    auto answer = b.queue.take(q);
    b.queue.end("i-1", job_status::canceled);
    return says(answer);
  };
  b.on.tell(b.actor, lease{true, b.on.now() + b.on.rules().leader.lease,
                           "master is node1", "node1"});
  b.order("i-1");
  b.on.run_for(minutes{5});
  b.on.tell(b.actor, lease{false, b.on.now(), "the cluster does not answer"});
  b.on.run_for(minutes{5});
  CHECK(b.told("i-1") == "submitted");
  SECTION("until it says who is") {
    b.give_right();
    b.on.run_for(minutes{2});
  }
  SECTION("or the job's deadline is over") {
    b.on.run_for(minutes{30});
  }
  CHECK(b.last("i-1") == "ended canceled");
  CHECK_FALSE(b.heard->back().by_another);
}

TEST_CASE("another one who was master before is none once the job was seen to "
          "live") {
  back_rig b;
  b.give_right();
  b.order("i-1");
  b.on.run_for(seconds{5});
  b.on.tell(b.actor, lease{false, b.on.now(), "node4 is master", "node4"});
  b.give_right();
  b.on.run_for(minutes{3});
  b.queue.end("i-1", job_status::canceled);
  b.on.run_for(minutes{3});
  CHECK(b.last("i-1") == "ended canceled");
  CHECK_FALSE(b.heard->back().by_another);
}

TEST_CASE("that a job was called back outlives a restart") {
  back_rig b;
  b.queue.on_submit = [&](const job_submission& q) {
    b.queue.take(q);
    return reply<submit_answer>{}; // hangs
  };
  b.order("i-1");
  b.on.run_for(seconds{1});
  b.call_back("i-1");
  b.restart();
  b.on.run_for(minutes{5});
  CHECK(b.port->cancelled == std::vector<job_id>{b.queue.id_of("i-1")});
}

TEST_CASE("a job that is called back before the journal was read is not sent") {
  back_rig b;
  b.on.kill(b.actor);
  b.on.kill(b.memory);
  b.disk->reads.answer
    = [&](const journal_read&) { return says(b.disk->contents(), seconds{2}); };
  b.start();
  b.order("i-1");
  b.call_back("i-1");
  b.on.run_for(minutes{10});
  CHECK(b.sent("i-1") == 0);
  CHECK(b.told("i-1") == "refused");
}

} // namespace orderly::jobs_back_test
