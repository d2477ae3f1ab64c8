// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What goes wrong while a repair is under way, restarts of ours included.

#include "tests/policy/autorepair_lab.hpp"

using namespace orderly;
using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

TEST_CASE("a failover is checked again when its permit comes") {
  auto b = broken();
  b.look();
  b.do_job();
  REQUIRE(b.asked);
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
  SECTION("its pending tag was removed") {
    b.record.tags.clear();
  }
  SECTION("its pending tag allows less by now") {
    b.record.tags = {tagged("pending:fix-storage:u1:1700000000:")};
  }
  SECTION("a failure tag") {
    b.record.tags.push_back(tagged("result:failover:x:1:failure:"));
  }
  SECTION("switched off") {
    b.limits.enabled = false;
  }
  SECTION("it lives elsewhere by now") {
    b.record.primary = "n3";
    b.kill("n3");
  }
  b.answer_permit(true);
  CHECK(b.repairs.empty());
  CHECK(b.given_back == 1);
  CHECK(b.machine.stage == stage::idle);
  CHECK_FALSE(b.story.back().empty());
}

TEST_CASE("a refused permit is asked for again at its time, and told once") {
  auto b = broken();
  b.look();
  b.do_job();
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
  SECTION("overdue") {
    b.end_job(job_phase::overdue, job_status::running);
  }
  b.run();
  b.now += hours{2};
  b.prove("n1");
  b.run();
  CHECK(b.tags_now() == texts{"result:failover:u1:1700000000:failure:1002"});
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
  REQUIRE(b.under_way);
  b.begin_job();
  b.end_job(job_phase::ended, job_status::error);
  CHECK(b.machine.phase == phase::failed);
  b.look();
  CHECK_FALSE(b.under_way);
  b.now += seconds{60};
  b.run();
  CHECK(b.tags_now() == texts{"result:failover:u1:1700000060:failure:1002"});
  CHECK(b.repairs.size() == 1);
}

TEST_CASE("a refused failover never ran and is tried again, a bounded number "
          "of times") {
  auto b = failing_over();
  for (int i = 0; i < 2; ++i) {
    b.end_job(job_phase::refused, job_status::lost);
    CHECK(b.machine.phase == phase::pending);
    b.look();
    CHECK_FALSE(b.asked);
    b.now += hours{1};
    b.run(false);
    REQUIRE(b.repair_under_way());
  }
  b.end_job(job_phase::refused, job_status::lost);
  b.run();
  CHECK(b.machine.phase == phase::failed);
  CHECK(b.repairs.size() == 3);
}

TEST_CASE("a new secondary is tried at most so many times, with growing "
          "pauses, and its tag names all tries") {
  auto b = fixing();
  b.end_job(job_phase::ended, job_status::error);
  CHECK(b.machine.due == b.now + seconds{60});
  b.now += seconds{60};
  b.run(false);
  CHECK(b.tags_now() == texts{"pending:fix-storage:u1:1700000000:1002"});
  b.end_job(job_phase::overdue, job_status::running);
  CHECK(b.machine.due == b.now + seconds{120});
  b.now += seconds{120};
  b.run(false);
  REQUIRE(b.repairs.size() == 3);
  b.end_job(job_phase::ended, job_status::canceled);
  b.run();
  CHECK(b.tags_now()
        == texts{"result:fix-storage:u1:1700000180:failure:1002+1004+1006"});
  CHECK(b.machine.phase == phase::failed);
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
  b.look();
  auto first = b.under_way->ops;
  for (int i = 0; i < 3; ++i) {
    b.begin_job();
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

TEST_CASE("after a restart a known job is taken up under the same intent, "
          "with its reservation") {
  auto b = failing_over();
  auto intent = b.machine.intent;
  b.nodes["n1"].proved_down.reset();
  auto v = resume(b.machine, b.seen(), b.limits, b.now);
  REQUIRE(v.actions.size() == 2);
  CHECK(std::get<ask_permit>(v.actions[0]).leaves
        == std::vector<node_name>{"n1"});
  CHECK(std::get<submit>(v.actions[1]).intent == intent);
  CHECK(std::get<submit>(v.actions[1]).ops == b.machine.ops);
}

TEST_CASE("after a restart a failover that may not have been sent waits for "
          "its proof") {
  auto b = broken();
  b.look();
  b.do_job();
  b.answer_permit(true);
  REQUIRE(b.repair_under_way());
  auto good = b.nodes["n1"].proved_down;
  b.nodes["n1"].proved_down.reset();
  auto v = resume(b.machine, b.seen(), b.limits, b.now);
  CHECK(v.actions.empty());
  CHECK(says(v.why, "waits for proof"));
  b.now = v.next.due;
  b.nodes["n1"].proved_down = good;
  v = step(v.next, looked{b.seen(), "x"}, b.limits, b.now);
  REQUIRE(v.actions.size() == 2);
  CHECK(std::get<submit>(v.actions[1]).intent == "u1/2-failover");
}

TEST_CASE("after a restart that hides whether a failover was sent, it is asked "
          "for, and its job is noted in the tag") {
  auto b = broken();
  b.look();
  b.do_job();
  b.answer_permit(true);
  REQUIRE(b.repair_under_way());
  auto order = *b.under_way;
  b.execute(order.ops); // the job ran while we were away
  b.now += minutes{1};
  auto v = resume(b.machine, b.seen(), b.limits, b.now);
  REQUIRE(v.actions.size() == 2);
  CHECK(std::get<submit>(v.actions[1]).intent == order.intent);
  CHECK(std::get<submit>(v.actions[1]).ops.empty());
  job_event e;
  e.intent = order.intent;
  e.phase = job_phase::ended;
  SECTION("it is in the queue and went well") {
    e.id = 77;
    e.status = job_status::success;
    e.at = b.now;
    v = step(v.next, job_ended{e, b.seen()}, b.limits, b.now);
    b.now += minutes{1};
    v = step(v.next, looked{b.seen(), "u9"}, b.limits, b.now);
    REQUIRE(v.actions.size() == 1);
    auto tag = std::get<submit>(v.actions[0]).ops.front().tags.front();
    CHECK(says(tag, "pending:failover:"));
    CHECK(says(tag, ":77"));
  }
  SECTION("it was never sent") {
    e.phase = job_phase::refused;
    v = step(v.next, job_ended{e, b.seen()}, b.limits, b.now);
    CHECK(v.next.act == act_kind::fix_storage); // somebody else did it
    CHECK_FALSE(v.next.last_failed);
  }
  SECTION("nobody can say") {
    e.phase = job_phase::overdue;
    v = step(v.next, job_ended{e, b.seen()}, b.limits, b.now);
    CHECK(v.next.stage == stage::idle);
    CHECK(says(v.next.why, "is not known"));
  }
}

TEST_CASE("after a restart a tag job is sent again and a permit asked for "
          "again") {
  auto b = broken();
  b.look();
  auto v = resume(b.machine, b.seen(), b.limits, b.now);
  REQUIRE(v.actions.size() == 1);
  CHECK(std::get<submit>(v.actions[0]).intent == "u1/1-tag");
  b.do_job();
  v = resume(b.machine, b.seen(), b.limits, b.now);
  REQUIRE(v.actions.size() == 1);
  CHECK(std::holds_alternative<ask_permit>(v.actions[0]));
}

TEST_CASE("late events of other intents change nothing") {
  auto b = failing_over();
  job_event e;
  e.intent = "u1/1-tag";
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
