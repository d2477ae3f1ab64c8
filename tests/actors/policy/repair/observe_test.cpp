// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// While auto-repair is off or observes nothing ends as a failure, and nobody
// is alarmed.

#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_observe_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

void stop(rig& b, bool observe) {
  b.limits.observe = observe;
  b.limits.enabled = observe;
}

void go_on(rig& b) {
  b.limits.observe = false;
  b.limits.enabled = true;
}

} // namespace

TEST_CASE("a job that fails while nobody acts is judged when somebody does") {
  auto observe = GENERATE(true, false);
  auto b = failing_over();
  stop(b, observe);
  b.end_job(job_phase::ended, job_status::error);
  b.now += hours{1};
  b.prove("n1");
  b.run();
  CHECK(b.machine.phase == phase::pending);
  CHECK(b.told.empty());
  CHECK(b.intents.size() == 1);
  CHECK(says(b.machine.why, "would write that the repair failed"));
  go_on(b);
  SECTION("it failed") {
    b.run();
    CHECK(b.machine.phase == phase::failed);
    CHECK(b.told == texts{"A.REPAIR_FAILED"});
    CHECK(b.repairs.size() == 1); // never twice
  }
  SECTION("it is in order by then") {
    b.nodes["n1"].offline = false;
    b.run();
    CHECK(b.machine == state{});
    CHECK(b.told.empty());
  }
}

TEST_CASE("a need that outgrew a repair with failed jobs is no failure while "
          "nobody acts") {
  auto observe = GENERATE(true, false);
  rig b;
  stop(b, observe);
  b.kill("n1");
  b.record.tags = {tagged("pending:fix-storage:" + id1 + ":1699990000:101")};
  b.jobs[101] = {101, job_status::error, never};
  b.run();
  CHECK(b.machine.phase == phase::pending);
  CHECK(b.told.empty());
  CHECK(b.intents.empty());
  go_on(b);
  b.run();
  CHECK(b.machine.phase == phase::failed);
  CHECK(b.told == texts{"A.REPAIR_FAILED"});
}

TEST_CASE("a failure that is not written yet is judged anew after observing") {
  auto observe = GENERATE(true, false);
  auto b = failing_over();
  b.end_job(job_phase::ended, job_status::error);
  REQUIRE(b.machine.phase == phase::failed);
  stop(b, observe);
  b.run();
  CHECK(b.machine.phase == phase::pending);
  CHECK(b.intents.size() == 1);
  go_on(b);
  b.nodes["n1"].offline = false;
  b.run();
  CHECK(b.machine == state{});
  REQUIRE(b.tags_now().size() == 1);
  CHECK(says(b.tags_now()[0], ":success:"));
}

TEST_CASE("tags that fail while nobody acts alarm nobody and are no try") {
  auto b = broken();
  b.limits.job_delay = seconds{10};
  b.limits.tries_max = 1;
  b.look();
  REQUIRE(b.under_way);
  stop(b, GENERATE(true, false));
  b.end_job(job_phase::ended, job_status::error);
  CHECK(b.told.empty());
  go_on(b);
  b.now += hours{1};
  b.prove("n1");
  b.run();
  CHECK(b.record.primary == "n2");
}

} // namespace orderly::repair_observe_test
