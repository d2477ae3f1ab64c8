// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The home of an instance dies while its mirror is repaired, or while it is
// migrated away.

#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_home_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

/// Its live migration off a drained node is in the queue.
rig migrating() {
  rig b;
  b.nodes["n1"].drained = true;
  b.cluster_tags = {tagged("failover")};
  b.run(false);
  REQUIRE(b.repair_under_way());
  REQUIRE(b.machine.act == act_kind::migrate);
  return b;
}

} // namespace

TEST_CASE("what works through a home that does not answer is called back") {
  auto b = GENERATE(false, true) ? fixing() : migrating();
  b.look();
  CHECK(b.called_back.empty());
  b.nodes["n1"].troubled = true;
  b.look();
  CHECK(b.called_back == texts{b.machine.intent});
  CHECK(says(b.machine.why, "its node n1 does not answer just now"));
  b.look();
  CHECK(b.called_back.size() == 1);
}

TEST_CASE("a job that was called back and never came is no try of its repair") {
  auto b = GENERATE(false, true) ? fixing() : migrating();
  b.nodes["n1"].troubled = true;
  b.look();
  REQUIRE(b.called_back.size() == 1);
  auto tries = b.machine.tries;
  job_event e;
  e.intent = b.machine.intent;
  e.phase = job_phase::refused;
  e.absent = true;
  b.machine.job = 0; // it was never told of
  b.now += millis{1};
  e.at = b.now;
  b.apply(step(b.machine, job_ended{e, b.seen()}, b.limits, b.now));
  CHECK(b.machine.tries == tries);
  CHECK(b.machine.stage == stage::idle);
  CHECK(says(b.story.back(), "was called back, and no job of it is found"));
}

TEST_CASE("a mirror's repair that fails because its home died is no failed "
          "repair: the instance is failed over") {
  auto b = GENERATE(false, true) ? fixing() : migrating();
  auto marked = GENERATE(false, true);
  for (int i = 0; i < 5; ++i) {
    b.nodes["n1"].troubled = true;
    b.nodes["n1"].offline = marked;
    b.end_job(job_phase::ended, job_status::error, "node n1 does not answer");
    CHECK(b.machine.tries == 0);
    CHECK_FALSE(b.machine.last_failed);
    CHECK(b.told.empty());
    if (marked)
      break;
    b.nodes["n1"].troubled = false;
    b.now += hours{1};
    b.run(false);
    REQUIRE(b.repair_under_way());
  }
  for (const auto& tag : b.tags_now())
    CHECK_FALSE(says(tag, "failure"));
}

TEST_CASE("one that fails while its home is well is a try") {
  auto b = fixing();
  b.end_job(job_phase::ended, job_status::error, "disk error");
  CHECK(b.machine.tries == 1);
}

TEST_CASE("a repair ends well only when its home was found well") {
  auto once = tagged("pending:failover:" + id1 + ":1699990000:");
  auto dies = GENERATE(false, true);
  rig b;
  b.record.tags = {once};
  auto& home = b.nodes["n1"];
  SECTION("it does not answer") {
    home.troubled = true;
  }
  SECTION("nothing of it is heard") {
    home.unheard = true;
  }
  SECTION("nobody has asked it yet") {
    home.unchecked = true;
  }
  b.run();
  CHECK(b.intents.empty());
  CHECK(b.machine.phase == phase::pending);
  CHECK(says(b.machine.why, "in order again by the record, but its home n1 "));
  home.troubled = home.unheard = home.unchecked = false;
  if (dies)
    b.kill("n1");
  b.run();
  REQUIRE(b.tags_now().size() == 1);
  CHECK(says(b.tags_now()[0], "result:failover:" + id1));
  CHECK(says(b.tags_now()[0], ":success:"));
  // What was asked for once was done.
  CHECK(b.repairs.empty() != dies);
}

TEST_CASE("its mirror's node may be silent when a repair ends well") {
  rig b;
  b.record.tags = {tagged("pending:failover:" + id1 + ":1699990000:")};
  b.nodes["n2"].troubled = true;
  b.run();
  REQUIRE(b.tags_now().size() == 1);
  CHECK(says(b.tags_now()[0], ":success:"));
}

} // namespace orderly::repair_home_test
