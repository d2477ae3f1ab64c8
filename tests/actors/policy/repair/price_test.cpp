// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a permit costs: nothing, if it is certain that nothing left under it.

#include "tests/actors/policy/repair/armed.hpp"

namespace orderly::repair_price_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

/// Why the queue takes no jobs while it is drained.
constexpr const char* drained = "Job queue is drained, refusing job";

/// What the submitter says of the job under way, of which there is no id.
void refuse(rig& b, bool untried, const std::string& text) {
  job_event e;
  e.intent = b.machine.intent;
  e.phase = job_phase::refused;
  e.untried = untried;
  e.text = text;
  auto before = b.seen();
  b.now += millis{1};
  e.at = b.now;
  b.under_way.reset();
  b.apply(step(b.machine, job_ended{e, before}, b.limits, b.now));
}

} // namespace

TEST_CASE("a failover whose token could not be written costs nothing") {
  auto b = armed(broken());
  SECTION("its job died with the queue") {
    b.begin_job();
    b.end_job(job_phase::ended, job_status::error, "died");
  }
  SECTION("the queue takes no jobs") {
    refuse(b, true, drained);
  }
  SECTION("nobody knows what became of its job") {
    b.begin_job();
    b.end_job(job_phase::ended, job_status::lost);
  }
  SECTION("its ground fell meanwhile") {
    b.begin_job();
    b.nodes["n1"].proved_down.reset();
    b.finish_job();
  }
  CHECK_FALSE(b.repair_under_way());
  CHECK(b.given_back == 1);
  CHECK(b.given_back_unused == 1);
}

TEST_CASE("a failover that never came to the queue costs nothing") {
  auto b = sent();
  SECTION("held back at its last look") {
    refuse(b, true, "not sent: n1 answers");
  }
  SECTION("refused by the queue") {
    refuse(b, false, "no such instance");
  }
  CHECK(b.given_back == 1);
  CHECK(b.given_back_unused == 1);
}

TEST_CASE("a failover that is not wanted when it is permitted costs nothing") {
  auto b = broken();
  b.look();
  b.nodes["n1"].proved_down.reset();
  b.answer_permit(true);
  CHECK(b.given_back == 1);
  CHECK(b.given_back_unused == 1);
}

TEST_CASE("a failover that may have been in the queue is paid for") {
  auto b = sent();
  SECTION("it failed") {
    b.begin_job();
    b.end_job(job_phase::ended, job_status::error, "died");
    CHECK(b.given_back == 1);
  }
  SECTION("it was canceled") {
    b.begin_job();
    b.end_job(job_phase::ended, job_status::canceled);
    CHECK(b.given_back == 1);
  }
  SECTION("two searches found no job of it") {
    lose(b);
    b.run();
    CHECK(b.given_back > 0);
  }
  CHECK(b.given_back_unused == 0);
}

} // namespace orderly::repair_price_test
