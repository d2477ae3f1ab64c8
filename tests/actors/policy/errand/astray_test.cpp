// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Instances that leave the nodes of an emergency power-off while it goes on.

#include "tests/actors/policy/errand/epo_rig.hpp"

namespace orderly::errand::errand_astray_test {

namespace {

using Catch::Matchers::Contains;

/// i1 has just left n1.
void moves_away(rig& b) {
  b.cluster.instances[0].primary = "n3";
  b.cluster.instances[0].secondaries = {"n1"};
}

} // namespace

TEST_CASE("what has left the nodes of an epo before its turn is not shut "
          "down") {
  rig b;
  b.rules.power.concurrency = 1;
  b.add_instance("i1", "n1", {"n3"});
  b.add_instance("i2", "n1", {"n3"});
  b.begin(b.request(epo({"n1"})));
  b.cluster.instances[1].primary = "n3";
  b.job("i1");
  CHECK(b.how("i2") == row_state::skipped);
  CHECK_THAT(b.of("i2").text, Contains("n3"));
  CHECK(b.job("n1").offline == true);
}

TEST_CASE("what a job may move is shut down when that has ended") {
  rig b;
  b.add_instance("i1", "n1", {"n3"});
  running_job job;
  job.id = 77;
  job.instances = {"i1"};
  b.cluster.jobs = {job};
  b.begin(b.request(epo({"n1"})));
  b.wait(clear_within - seconds{4});
  CHECK(b.count<send_job>() == 0);
  SECTION("and it is there yet") {
    b.cluster.jobs.clear();
    b.wait(seconds{2});
    CHECK(b.job("i1").kind == op_kind::instance_shutdown);
  }
  SECTION("and it is not there any more") {
    b.cluster.jobs.clear();
    moves_away(b);
    b.wait(seconds{2});
    CHECK(b.how("i1") == row_state::skipped);
    CHECK(b.job("n1").offline == true);
  }
  SECTION("and if it does not end, nothing goes off") {
    b.wait(seconds{6});
    CHECK_THAT(b.of("i1").text, Contains("job 77"));
    CHECK(b.how("n1") == row_state::skipped);
  }
}

TEST_CASE("a shutdown is called back if its instance is elsewhere by then") {
  rig b;
  b.add_instance("i1", "n1", {"n3"});
  b.begin(b.request(epo({"n1"})));
  auto x = b.take<send_job>("i1");
  CHECK(against_job(b.s, x.at, b.look()).empty());
  b.feed(job_queued{x.at});
  CHECK(awaits_reading(b.s, b.look()));
  b.feed(woken{});
  CHECK(b.called_back.empty());
  moves_away(b);
  CHECK_THAT(against_job(b.s, x.at, b.look()), Contains("n3"));
  b.feed(woken{});
  CHECK(b.called_back == std::vector<intent_id>{x.order.intent});
  job_told told;
  told.at = x.at;
  told.canceled = true;
  b.feed(told);
  CHECK(b.how("i1") == row_state::skipped);
  CHECK(b.of("i1").met);
  CHECK(b.job("n1").offline == true);
}

TEST_CASE("what left while nobody looked may have been shut down before") {
  rig b;
  b.add_instance("i1", "n1", {"n3"});
  b.begin(b.request(epo({"n1"})));
  auto x = b.take<send_job>("i1");
  moves_away(b);
  b.restart();
  auto again = b.take<send_job>("i1");
  CHECK(again.order.intent == x.order.intent);
  SECTION("it was: it is started again") {
    b.feed(job_told{again.at, true, false, ""});
    CHECK(b.job("i1").kind == op_kind::instance_startup);
  }
  SECTION("it was not: it is left alone") {
    b.feed(job_told{again.at, false, true, "withdrawn", true});
    b.wait(untried_pause);
    CHECK(b.how("i1") == row_state::skipped);
  }
  CHECK(b.job("n1").offline == true);
}

TEST_CASE("what was shut down on a node that stays on is started again") {
  rig b;
  b.add_instance("i1", "n1", {"n3"});
  b.begin(b.request(epo({"n1"})));
  b.read_at = b.now;
  b.job("i1");
  CHECK(b.how("i1") == row_state::done);
  moves_away(b);
  b.read_at.reset();
  b.feed(woken{});
  auto restarted = GENERATE(true, false);
  if (restarted)
    b.restart();
  CHECK(b.count<send_job>() == 1);
  SECTION("and its nodes go off after that") {
    CHECK(b.job("i1").kind == op_kind::instance_startup);
    CHECK(b.how("i1") == row_state::done);
    CHECK(b.has_remark("it was shut down, and is on n3"));
  }
  SECTION("or it is told, and they go off all the same") {
    b.job("i1", false, "no memory");
    CHECK(b.how("i1") == row_state::failed);
    CHECK(b.has_told("errand-astray", "gnt-instance startup i1"));
  }
  CHECK(b.job("n1").offline == true);
  CHECK(b.count<send_job>() == 0);
}

} // namespace orderly::errand::errand_astray_test
