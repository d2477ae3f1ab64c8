// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What goes wrong while a repair is under way.

#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_trouble_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

TEST_CASE("a failover is checked again when its permit comes") {
  auto b = asking(GENERATE(false, true));
  SECTION("the node came back") {
    b.nodes["n1"].offline = false;
  }
  SECTION("the proof was withdrawn") {
    b.nodes["n1"].proved_down.reset();
  }
  SECTION("a suspension") {
    b.record.tags.push_back(tagged("suspend"));
  }
  SECTION("somebody else works on it") {
    b.foreign_job = 7;
  }
  SECTION("a failure tag") {
    b.record.tags.push_back(tagged("result:failover:x:1:failure:"));
  }
  SECTION("switched off") {
    b.limits.enabled = false;
  }
  SECTION("it only observes by now") {
    b.limits.observe = true;
  }
  SECTION("it lives elsewhere by now") {
    b.record.primary = "n3";
    b.kill("n3");
  }
  b.answer_permit(true);
  CHECK(b.repairs.empty());
  CHECK(b.given_back == 1);
  CHECK(b.machine.stage == stage::idle);
  if (b.limits.enabled)
    CHECK_FALSE(b.story.back().empty());
}

TEST_CASE("a failover whose tag stands is given up with it") {
  auto b = asking(true);
  SECTION("removed") {
    b.record.tags.clear();
  }
  SECTION("allows less by now") {
    b.record.tags = {tagged("pending:fix-storage:u1:1700000000:")};
  }
  b.answer_permit(true);
  CHECK(b.repairs.empty());
  CHECK(b.given_back == 1);
}

TEST_CASE("a failover whose tag would come with it needs the policy still") {
  auto granted = GENERATE(true, false);
  auto b = asking(false);
  SECTION("removed") {
    b.cluster_tags.clear();
  }
  SECTION("weaker by now") {
    b.cluster_tags = {tagged("migrate")};
  }
  SECTION("somebody else's pending tag is there") {
    b.record.tags.push_back(tagged("pending:failover:" + id1 + ":1:"));
  }
  b.answer_permit(granted, b.now + seconds{5});
  CHECK_FALSE(b.under_way);
  CHECK(b.repairs.empty());
  CHECK(b.given_back == (granted ? 1 : 0));
  CHECK(b.machine.phase == phase::needs_repair);
}

TEST_CASE("a refused permit is asked for again at its time, and told once") {
  auto b = asking(true);
  std::size_t told = 0;
  for (int i = 0; i < 3; ++i) {
    b.answer_permit(false, b.now + seconds{5});
    b.look();
    CHECK_FALSE(b.asked);
    CHECK(says(b.shown().waits_for, "storm"));
    if (i == 0)
      told = b.story.size();
    b.now += seconds{5};
    b.look();
    CHECK(b.asked);
  }
  CHECK(b.story.size() == told);
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("a failover that failed, got lost or is overdue is never retried "
          "until a person removes the failure tag") {
  auto b = failing_over();
  SECTION("error") {
    b.end_job(job_phase::ended, job_status::error);
  }
  SECTION("canceled") {
    b.end_job(job_phase::ended, job_status::canceled);
  }
  SECTION("lost") {
    b.end_job(job_phase::ended, job_status::lost);
  }
  SECTION("overdue, and not well when it ends") {
    b.end_job(job_phase::overdue, job_status::running);
    b.run();
    CHECK(b.tags_now() == texts{"pending:failover:u1:1700000000:"});
    b.jobs[1001] = {1001, job_status::error, b.now};
  }
  b.run();
  b.now += hours{2};
  b.prove("n1");
  b.run();
  CHECK(b.tags_now() == texts{"result:failover:u1:1700000000:failure:1001"});
  CHECK(b.machine.phase == phase::failed);
  CHECK(b.told == texts{"A.REPAIR_FAILED"});
  CHECK(b.repairs.size() == 1);
  b.record.tags.clear();
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("the verdict of failure sticks until its tag could be written") {
  auto b = failing_over();
  b.end_job(job_phase::ended, job_status::error);
  b.look(); // shows what tags the job has set before it failed
  REQUIRE(b.under_way);
  b.end_job(job_phase::ended, job_status::error);
  CHECK(b.machine.phase == phase::failed);
  b.look();
  CHECK_FALSE(b.under_way);
  b.now += seconds{60};
  b.run();
  CHECK(b.tags_now() == texts{"result:failover:u1:1700000060:failure:1001"});
  CHECK(b.repairs.size() == 1);
}

TEST_CASE("a refused failover never ran and is tried again, a bounded number "
          "of times") {
  auto b = asking(false);
  for (int i = 0; i < 3; ++i) {
    b.answer_permit(true);
    REQUIRE(b.repair_under_way());
    b.end_job(job_phase::refused, job_status::lost);
    if (i == 2)
      break;
    CHECK(b.machine.phase == phase::needs_repair);
    b.look();
    CHECK_FALSE(b.asked);
    b.now += hours{1};
    b.look();
    REQUIRE(b.asked);
  }
  b.run();
  CHECK(b.machine.phase == phase::failed);
  CHECK(b.repairs.size() == 3);
  CHECK(b.tags_now() == texts{"result:failover:u1:1700007200:failure:"});
}

TEST_CASE("a repair whose job was refused needs the policy for another try") {
  auto b = asking(false);
  b.answer_permit(true);
  b.end_job(job_phase::refused, job_status::lost);
  b.cluster_tags.clear();
  b.now += hours{1};
  b.run();
  CHECK(b.tags_now().empty());
  CHECK(b.repairs.size() == 1);
  CHECK(says(b.machine.why, "add tag"));
}

TEST_CASE("a failover that never ran because a tag of others was gone is tried "
          "again") {
  auto b = asking(false);
  b.record.tags = {tagged("suspend:1600000000")};
  b.asked.reset();
  b.machine = {};
  b.look();
  b.answer_permit(true);
  REQUIRE(b.under_way);
  b.record.tags.clear(); // a person was faster
  b.do_job();
  CHECK(b.machine.phase == phase::pending);
  b.now += minutes{1};
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(b.tags_now()
        == texts{"result:failover:u2:1700000060:success:1001+1002+1003"});
}

TEST_CASE("a new secondary is tried at most so many times, with growing "
          "pauses, and its tag names all tries") {
  auto b = fixing();
  b.end_job(job_phase::ended, job_status::error);
  CHECK(b.machine.due == b.now + seconds{60});
  b.now += seconds{60};
  b.run(false);
  CHECK(b.tags_now() == texts{"pending:fix-storage:u1:1700000000:1001"});
  b.end_job(job_phase::ended, job_status::lost);
  CHECK(b.machine.due == b.now + seconds{120});
  b.now += seconds{120};
  b.run(false);
  REQUIRE(b.repairs.size() == 3);
  b.end_job(job_phase::ended, job_status::canceled);
  b.run();
  CHECK(b.tags_now()
        == texts{"result:fix-storage:u1:1700000180:failure:1001+1002+1003"});
  CHECK(b.machine.phase == phase::failed);
}

TEST_CASE("a job that is overdue is not followed by another before it ended") {
  auto b = fixing();
  b.end_job(job_phase::overdue, job_status::running);
  b.now += hours{1};
  b.run();
  CHECK(b.repairs.size() == 1);
  CHECK(says(b.shown().waits_for, "waits for job 1001 of repair u1, which is "
                                  "running"));
  SECTION("and if it ends well it was worth the wait") {
    b.jobs[1001] = {1001, job_status::success, b.now};
    b.execute(std::vector<opcode>{b.repairs});
    b.run();
    CHECK(b.repairs.size() == 1);
    CHECK(b.machine == state{});
  }
  SECTION("and if it failed it is tried again after a pause") {
    b.jobs[1001] = {1001, job_status::error, b.now};
    b.run();
    CHECK(b.repairs.size() == 1);
    CHECK(b.machine.due > b.now);
    b.now = b.machine.due;
    b.run();
    CHECK(b.repairs.size() == 2);
    CHECK(b.machine == state{});
  }
}

TEST_CASE("a suspension does not make a job forgotten that is overdue") {
  rig b;
  b.nodes["n2"].offline = true;
  b.cluster_tags = {tagged("failover")};
  b.look();
  b.answer_permit(true);
  job_event e;
  e.intent = b.under_way->intent;
  e.id = ++b.last_job;
  b.apply(step(b.machine, job_started{e}, b.limits, b.now));
  b.end_job(job_phase::overdue, job_status::running); // its tag is not there
  b.record.tags = {tagged("suspend")};
  b.run();
  CHECK(b.intents.size() == 1);
  b.record.tags.clear();
  b.now += hours{1};
  b.run();
  CHECK(b.repairs.size() == 1);
  CHECK(says(b.shown().waits_for, "waits for job 1001"));
  b.jobs[1001] = {1001, job_status::canceled, b.now};
  b.run();
  b.now += hours{1};
  b.run();
  CHECK(b.repairs.size() == 2);
  CHECK(b.machine == state{});
}

TEST_CASE("lack of room that only Ganeti sees is waited for, without end and "
          "without a failure") {
  auto b = fixing();
  for (int i = 0; i < 6; ++i) {
    b.end_job(job_phase::ended, job_status::error,
              "OpPrereqError: Can't compute nodes using iallocator 'hail'");
    CHECK(says(b.machine.why, "no place"));
    CHECK(b.machine.due > b.now);
    b.now = b.machine.due;
    b.run(false);
    REQUIRE(b.repair_under_way());
  }
  CHECK(b.machine.tries == 0);
  b.finish_job();
  b.run();
  CHECK(b.machine == state{});
  CHECK(b.told.empty());
}

TEST_CASE("a failover that ended well without effect is a failure, but only "
          "after a second look") {
  auto b = failing_over();
  b.end_job(job_phase::ended, job_status::success);
  b.look();
  CHECK(b.machine.phase == phase::pending);
  CHECK_FALSE(b.asked);
  b.run();
  CHECK(b.machine.phase == phase::failed);
  CHECK(b.repairs.size() == 1);
}

TEST_CASE("a picture from before the end of our job starts nothing") {
  auto b = broken();
  SECTION("after a failover") {
    b.run(false);
    auto old = b.seen();
    b.execute(b.under_way->ops);
    b.end_job(job_phase::ended, job_status::success);
    b.apply(step(b.machine, looked{old, b.fresh()}, b.limits, b.now));
    CHECK_FALSE(b.under_way);
    // The same, read so late that its time alone does not tell.
    old.read_at = b.now + millis{1};
    b.apply(
      step(b.machine, looked{old, b.fresh()}, b.limits, b.now + millis{1}));
    CHECK_FALSE(b.asked);
    CHECK_FALSE(b.under_way);
    b.now += millis{1};
    b.run();
    CHECK(b.repairs.size() == 2);
  }
  SECTION("after the result was written") {
    b.run(false);
    b.execute(b.under_way->ops);
    b.nodes["n1"].offline = false;
    b.end_job(job_phase::ended, job_status::success);
    b.look();
    auto old = b.seen();
    b.do_job();
    REQUIRE(b.tags_now().size() == 1);
    b.apply(step(b.machine, looked{old, b.fresh()}, b.limits, b.now));
    CHECK_FALSE(b.under_way);
    old.read_at = b.now + millis{1};
    b.apply(
      step(b.machine, looked{old, b.fresh()}, b.limits, b.now + millis{1}));
    CHECK_FALSE(b.under_way);
    auto sent = b.intents.size();
    b.now += millis{1};
    b.run();
    CHECK(b.intents.size() == sent);
    CHECK(b.tags_now().size() == 1);
  }
}

TEST_CASE("tags that cannot be written are tried again with the same text, "
          "and somebody is told") {
  auto b = broken();
  b.limits.job_delay = seconds{10};
  b.look();
  auto first = b.under_way->ops;
  for (int i = 0; i < 3; ++i) {
    b.end_job(job_phase::ended, job_status::error);
    CHECK(b.machine.phase == phase::needs_repair);
    b.look();
    CHECK_FALSE(b.under_way);
    b.now += hours{1};
    b.look();
    REQUIRE(b.under_way);
    CHECK(b.under_way->ops == first);
  }
  CHECK(b.told == texts{"A.TAGS_STUCK"});
}

TEST_CASE("late events of other intents change nothing") {
  auto b = failing_over();
  job_event e;
  e.intent = "u1/i1/1-tag";
  e.phase = job_phase::ended;
  e.status = job_status::error;
  auto v = step(b.machine, job_ended{e, b.seen()}, b.limits, b.now);
  CHECK(v.next == b.machine);
  CHECK(v.actions.empty());
  CHECK(v.why.empty());
  v = step(b.machine, job_started{e}, b.limits, b.now);
  CHECK(v.next == b.machine);
  CHECK(v.why.empty());
}

} // namespace orderly::repair_trouble_test
