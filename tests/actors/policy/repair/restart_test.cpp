// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A repair that our own restart falls into.

#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_restart_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

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
  CHECK(std::get<submit>(v.actions[1]).ops.empty()); // never sent once more
  CHECK(v.next.ops == b.machine.ops);
}

TEST_CASE("a job that had an id was sent, even if nobody knows it any more") {
  auto b = GENERATE(false, true) ? failing_over() : fixing();
  auto risky = b.machine.act == act_kind::failover;
  b.restart();
  b.end_job(job_phase::refused, job_status::lost, "it was never sent");
  CHECK(b.machine.jobs == std::vector<job_id>{b.last_job});
  if (risky)
    CHECK(says(b.machine.why, "is not known: the queue has forgotten it"));
  else
    CHECK(says(b.machine.why, "try 1 of 3 failed"));
  b.now += hours{1};
  b.prove("n1");
  b.run();
  CHECK(b.repairs.size() == (risky ? 1U : 2U));
  CHECK((b.machine.phase == phase::failed) == risky);
}

TEST_CASE("after a restart a failover that may not have been sent waits for "
          "its proof, and says so") {
  auto b = asking(GENERATE(false, true));
  b.answer_permit(true);
  REQUIRE(b.repair_under_way());
  auto intent = b.machine.intent;
  auto good = b.nodes["n1"].proved_down;
  b.nodes["n1"].proved_down.reset();
  auto v = resume(b.machine, b.seen(), b.limits, b.now);
  // Its answer may have been lost: only that is asked.
  REQUIRE(v.actions.size() == 1);
  CHECK(std::get<submit>(v.actions[0]).ops.empty());
  CHECK(says(v.why, "waits for proof"));
  CHECK(says(standing(v.next, b.seen(), b.limits, b.now).waits_for,
             "waits for proof"));
  // Looking again changes nothing, so nothing is written down again.
  for (int i = 0; i < 5; ++i) {
    b.now += seconds{5};
    auto again = step(v.next, looked{b.seen(), "x"}, b.limits, b.now);
    CHECK(again.next == v.next);
    CHECK(again.actions.empty());
    CHECK(again.why.empty());
  }
  b.nodes["n1"].proved_down = good;
  v = step(v.next, looked{b.seen(), "x"}, b.limits, b.now);
  REQUIRE(v.actions.size() == 2);
  CHECK(std::get<submit>(v.actions[1]).intent == intent);
}

TEST_CASE("after a restart a step that nothing speaks for any more is asked "
          "for, and never sent anew") {
  auto b = asking(false);
  b.answer_permit(true);
  REQUIRE(b.repair_under_way());
  auto repair = b.machine.repair;
  SECTION("its tag is there, so it was sent") {
    b.record.tags = {tagged("pending:failover:u1:1700000000:")};
  }
  SECTION("somebody else's tag is there") {
    b.record.tags = {tagged("pending:failover:" + id1 + ":1:")};
  }
  SECTION("suspended") {
    b.record.tags = {tagged("suspend")};
  }
  SECTION("not permitted any more") {
    b.cluster_tags.clear();
  }
  b.restart();
  REQUIRE(b.under_way);
  CHECK(b.under_way->ops.empty());
  b.end_job(job_phase::refused, job_status::lost);
  CHECK_FALSE(b.under_way);
  CHECK(b.repairs.size() == 1);
}

TEST_CASE("a doubt that comes up while a step of before a restart is handed "
          "over says nothing of what was sent: it is asked for") {
  auto b = asking(false);
  b.answer_permit(true);
  REQUIRE(b.repair_under_way());
  auto intent = b.machine.intent;
  auto v = resume(b.machine, b.seen(), b.limits, b.now);
  REQUIRE(v.actions.size() == 2);
  auto first = std::get<submit>(v.actions[1]);
  CHECK_FALSE(first.ops.empty());
  CHECK(first.again);
  b.record.tags = {tagged("pending:failover:u1:1700000000:")};
  CHECK_FALSE(
    second_thoughts(v.next, intent, b.seen(), b.limits, b.now).empty());
  v = step(v.next, doubted{intent, "its tag appeared"}, b.limits, b.now);
  CHECK(v.next.stage == stage::repairing);
  CHECK(v.next.intent == intent);
  CHECK(says(v.next.why, "its tag appeared"));
  auto asked = std::get<submit>(v.actions.back());
  CHECK(asked.intent == intent);
  CHECK(asked.ops.empty());
  // It was sent, and went well: the result will name it.
  job_event e;
  e.intent = intent;
  e.phase = job_phase::ended;
  e.id = 77;
  e.status = job_status::success;
  e.at = b.now;
  v = step(v.next, job_ended{e, b.seen()}, b.limits, b.now);
  CHECK(v.next.jobs == std::vector<job_id>{77});
}

TEST_CASE("a doubt about another step is none about this one") {
  auto b = failing_over();
  auto v
    = step(b.machine, doubted{"u1/i1/9-failover", "late"}, b.limits, b.now);
  CHECK(v.next == b.machine);
  CHECK(v.actions.empty());
}

TEST_CASE("after a restart a pending tag is written only with permission") {
  auto b = broken();
  b.limits.job_delay = seconds{10};
  b.look();
  REQUIRE(b.under_way);
  b.cluster_tags.clear();
  b.under_way.reset();
  b.restart();
  CHECK_FALSE(b.under_way);
  CHECK(b.machine.stage == stage::idle);
  b.run();
  CHECK(b.tags_now().empty());
}

TEST_CASE("after a restart that hides whether a failover was sent, it is asked "
          "for, and its job is noted in the tag") {
  auto b = asking(false);
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
    REQUIRE(std::holds_alternative<ask_permit>(v.actions[0]));
    b.now += minutes{1};
    v = step(v.next, permit_answered{b.seen(), true, {}, {}}, b.limits, b.now);
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
  b.limits.job_delay = seconds{10};
  b.look();
  auto v = resume(b.machine, b.seen(), b.limits, b.now);
  REQUIRE(v.actions.size() == 1);
  CHECK(std::get<submit>(v.actions[0]).intent == "u1/i1/1-tag");
  b.do_job();
  v = resume(b.machine, b.seen(), b.limits, b.now);
  REQUIRE(v.actions.size() == 1);
  CHECK(std::holds_alternative<ask_permit>(v.actions[0]));
}

TEST_CASE("the grace after a restart is for proofs that were not read again: "
          "a node that is back calls its failover back at once") {
  auto b = failing_over();
  b.restart();
  b.nodes["n1"].proved_down.reset();
  b.look();
  CHECK(b.called_back.empty());
  SECTION("it is in service") {
    b.nodes["n1"].offline = false;
    b.look();
  }
  SECTION("the proof is still not there when it is over") {
    b.now += minutes{1};
    b.look();
  }
  CHECK(b.called_back == std::vector<intent_id>{b.machine.intent});
}

TEST_CASE("times of a repair that are not yet, because the calendar was set "
          "back, keep it waiting no longer than before") {
  constexpr instant at{hours{470'000}};
  rules r;
  r.retry_max = minutes{30};
  state s;
  s.started = at + hours{3} - minutes{5};
  s.moved = at + hours{3} - minutes{2};
  s.noted = at - minutes{1};
  s.due = at + hours{3} + minutes{4};
  date(s, r, at);
  CHECK(s.moved == at);
  CHECK(s.noted == at - minutes{1});
  CHECK(s.due == at + minutes{6});
  s.due = at + hours{8};
  date(s, r, at);
  CHECK(s.due <= at + r.retry_max);
}

} // namespace orderly::repair_restart_test
