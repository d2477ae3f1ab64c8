// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A reinstall that still waits in the queue and is not needed any more.

#include "actors/policy/repair/token.hpp"
#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_withdraw_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

/// The job of its reinstall is in the queue, and has not begun.
rig reinstalling(millis delay = {}) {
  rig b;
  b.kill("n1");
  b.kill("n2");
  b.limits.job_delay = delay;
  b.cluster_tags = {tagged("reinstall")};
  b.run(false);
  REQUIRE(b.repair_under_way());
  REQUIRE(b.machine.act == act_kind::reinstall);
  REQUIRE(b.machine.job != 0);
  return b;
}

} // namespace

TEST_CASE("a reinstall that waits in the queue is called back, once, when it "
          "is not needed any more") {
  auto b = reinstalling(GENERATE(millis{0}, seconds{10}));
  b.look();
  CHECK(b.called_back.empty());
  SECTION("its primary came back") {
    b.nodes["n1"].offline = false;
  }
  SECTION("its secondary came back: a failover will do") {
    b.nodes["n2"].offline = false;
  }
  SECTION("somebody parked it") {
    b.record.admin = admin_state::offline;
  }
  b.look();
  b.look();
  CHECK(b.called_back == std::vector<intent_id>{b.machine.intent});
  CHECK(b.repair_under_way());
  CHECK(says(b.story.back(), "calls back job"));
}

TEST_CASE("a reinstall that has moved the instance already is let run") {
  auto b = reinstalling();
  b.record.primary = b.machine.onto;
  b.look();
  CHECK(b.called_back.empty());
}

TEST_CASE(
  "an instance that a person stops while its reinstallation waits is not "
  "started by it") {
  auto b = reinstalling();
  b.limits.tokens = true;
  b.machine.token = token_state::sent;
  b.machine.token_number = 1;
  auto waits = GENERATE(true, false);
  if (waits)
    b.record.tags.push_back(token_text(b.machine.repair, 1));
  b.record.admin = admin_state::down;
  b.look();
  // Without its token the job has begun, and its own shutdown may have run.
  CHECK(b.called_back.empty() != waits);
}

TEST_CASE("a failover that waits is called back when the node that it fills is "
          "no place any more") {
  auto b = failing_over();
  b.look();
  CHECK(b.called_back.empty());
  std::string why;
  SECTION("it does not answer") {
    b.nodes["n2"].troubled = true;
    why = "does not answer";
  }
  SECTION("it was switched off") {
    b.nodes["n2"].closed = "it is recorded powered off";
    why = "is recorded powered off";
  }
  SECTION("a person ordered it off") {
    b.nodes["n2"].leaving = "root ordered it off";
    why = "root ordered it off";
  }
  b.look();
  b.look();
  CHECK(b.called_back == std::vector<intent_id>{b.machine.intent});
  CHECK(says(b.story.back(), why));
  b.end_job(job_phase::ended, job_status::canceled);
  b.run();
  CHECK(b.repairs.size() == 1);
  b.nodes["n2"].troubled = false;
  b.nodes["n2"].closed = b.nodes["n2"].leaving = {};
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(b.told.empty());
}

TEST_CASE("a migration that waits is called back once its instance is started, "
          "or stopped, and is put together anew") {
  auto was = GENERATE(admin_state::up, admin_state::down);
  auto is = was == admin_state::up ? admin_state::down : admin_state::up;
  rig b;
  b.nodes["n1"].drained = true;
  b.cluster_tags = {tagged("failover")};
  b.record.admin = was;
  b.run(false);
  REQUIRE(b.machine.act == act_kind::migrate);
  b.look();
  REQUIRE(b.called_back.empty());
  b.record.admin = is;
  b.look();
  b.look();
  CHECK(b.called_back == std::vector<intent_id>{b.machine.intent});
  b.end_job(job_phase::ended, job_status::canceled);
  b.repairs.clear();
  b.run(false);
  REQUIRE_FALSE(b.repairs.empty());
  CHECK(b.repairs.back().flag == (is == admin_state::down));
}

TEST_CASE("the tries of a step outlive that it is called back and that another "
          "step is asked for meanwhile") {
  rig b;
  b.nodes["n1"].drained = true;
  b.cluster_tags = {tagged("failover")};
  b.run(false);
  b.end_job(job_phase::ended, job_status::error, "not running");
  REQUIRE(says(b.machine.why, "try 1 of 3 failed"));
  b.now += hours{1};
  b.run(false);
  REQUIRE(b.machine.act == act_kind::migrate);
  b.nodes["n2"].offline = true;
  b.look();
  REQUIRE(b.called_back.size() == 1);
  b.end_job(job_phase::ended, job_status::canceled);
  for (int i = 0; i < 8 && !b.asked; ++i) {
    if (b.under_way)
      b.do_job();
    else
      b.look();
  }
  REQUIRE(b.asked);
  REQUIRE(b.asked->act == act_kind::fix_storage);
  b.answer_permit(false);
  b.nodes["n2"].offline = false;
  b.now += seconds{1};
  b.heard = {{}, true, b.now}; // it has caught up
  b.run(false);
  REQUIRE(b.machine.act == act_kind::migrate);
  b.end_job(job_phase::ended, job_status::error, "not running");
  CHECK(says(b.machine.why, "try 2 of 3 failed"));
}

TEST_CASE("a mirror that is back in service is not rebuilt elsewhere: the job "
          "that waits is called back") {
  auto b = fixing();
  for (auto& [name, node] : b.nodes)
    node.offline = false;
  b.look();
  CHECK(b.called_back == std::vector<intent_id>{b.machine.intent});
}

TEST_CASE("a reinstall that was called back in time did nothing: no failure, "
          "and its repair is judged anew") {
  auto delay = GENERATE(millis{0}, seconds{10});
  auto b = reinstalling(delay);
  b.nodes["n1"].offline = false;
  b.look();
  REQUIRE(b.called_back.size() == 1);
  SECTION("in order") {
    b.nodes["n2"].offline = false;
    b.end_job(job_phase::ended, job_status::canceled);
    b.run();
    CHECK(b.repairs.size() == 4);
    CHECK(b.machine == state{});
  }
  SECTION("something else is needed") {
    b.end_job(job_phase::ended, job_status::canceled);
    b.run();
    REQUIRE(b.repairs.size() == 5);
    CHECK(b.repairs.back().kind == op_kind::replace_disks);
    CHECK(b.machine == state{});
  }
  SECTION("the node is dead again: what a person stopped stays down") {
    b.kill("n1");
    b.end_job(job_phase::ended, job_status::canceled);
    b.look(); // shows that it is still marked up
    b.record.admin = admin_state::down;
    b.run();
    CHECK(b.repairs.size() == 6);
    CHECK(b.repairs.back().kind == op_kind::instance_reinstall);
    CHECK(b.record.admin == admin_state::down);
  }
  CHECK(b.told.empty());
}

TEST_CASE("if its shutdown had run by then a person is told") {
  auto b = reinstalling();
  b.nodes["n1"].offline = b.nodes["n2"].offline = false;
  b.look();
  b.record.admin = admin_state::down;
  b.end_job(job_phase::ended, job_status::canceled);
  b.run();
  CHECK(b.machine.phase == phase::failed);
  CHECK(says(b.shown().waits_for, "a person"));
  CHECK(b.told == texts{"A.REPAIR_FAILED"});
}

TEST_CASE("what a person stopped while its reinstallation waited stays down") {
  rig b;
  b.limits.tokens = true;
  b.kill("n1");
  b.kill("n2");
  b.cluster_tags = {tagged("reinstall")};
  b.run(false);
  REQUIRE(b.machine.act == act_kind::reinstall);
  REQUIRE(b.machine.token == token_state::sent);
  REQUIRE(b.repair_under_way());
  // As if it had not begun: its token is in place.
  b.record.tags.push_back(token_text(b.machine.repair, b.machine.token_number));
  b.now += seconds{1};
  b.record.admin = admin_state::down;
  b.look();
  CHECK(b.called_back.size() == 1);
  SECTION("and started again: it is started, as it was to be") {
    b.record.admin = admin_state::up;
    b.look();
    CHECK(b.machine.wanted_up);
    return;
  }
  auto back = GENERATE(true, false);
  if (back)
    b.nodes["n1"].offline = b.nodes["n2"].offline = false;
  auto began
    = GENERATE(true, false); // before the call came, but after the stop
  if (began)
    b.record.tags.pop_back();
  b.end_job(job_phase::ended, job_status::canceled);
  b.run();
  CHECK_FALSE(b.machine.wanted_up);
  CHECK(b.record.admin == admin_state::down);
  if (!began)
    CHECK(b.told.empty());
}

TEST_CASE("a reinstall canceled by somebody else is a failure as ever") {
  auto b = reinstalling();
  b.end_job(job_phase::ended, job_status::canceled);
  b.run();
  CHECK(b.machine.phase == phase::failed);
}

TEST_CASE("what somebody else canceled while we had no right to act has not "
          "failed") {
  auto b = GENERATE(true, false) ? failing_over() : reinstalling();
  job_event e;
  e.intent = b.under_way->intent;
  e.phase = job_phase::ended;
  e.id = b.last_job;
  e.status = job_status::canceled;
  e.by_another = true;
  auto before = b.seen();
  b.now += millis{1};
  e.at = b.now;
  b.under_way.reset();
  b.apply(step(b.machine, job_ended{e, before}, b.limits, b.now));
  CHECK(b.machine.phase != phase::failed);
  CHECK(b.told.empty());
  b.run();
  CHECK(b.machine == state{});
}

TEST_CASE("a call back is repeated after a restart") {
  auto b = reinstalling();
  b.nodes["n1"].offline = false;
  b.look();
  b.restart();
  CHECK(b.called_back.size() == 2);
  CHECK(b.machine.withdrawn);
}

} // namespace orderly::repair_withdraw_test
