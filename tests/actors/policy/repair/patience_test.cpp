// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the machine waits for, how long, and how quietly.

#include "actors/policy/guards/reservations.hpp"
#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_patience_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

void refuse_untried(rig& b) {
  job_event e;
  e.intent = b.under_way->intent;
  e.phase = job_phase::refused;
  e.status = job_status::lost;
  e.text = "too many jobs of ours are open";
  e.untried = true;
  e.at = b.now;
  b.under_way.reset();
  b.apply(step(b.machine, job_ended{e, b.seen()}, b.limits, b.now));
}

/// An instance whose disks are gone and that may be reinstalled.
rig gone() {
  rig b;
  b.record.disks = disk_template::plain;
  b.record.secondaries.clear();
  b.kill("n1");
  b.cluster_tags = {tagged("reinstall")};
  return b;
}

void refuse(rig& b, const std::string& why, bool taken) {
  b.asked.reset();
  permit_answered no{b.seen(), false, why, b.now + seconds{5}, taken};
  b.apply(step(b.machine, no, b.limits, b.now));
}

} // namespace

TEST_CASE("who was refused a permit asks again when it is called, by what it "
          "sees then") {
  auto b = asking(false);
  refuse(b, "node n2 is being filled by instance:x", true);
  b.look();
  CHECK_FALSE(b.asked); // it is not called, and its time has not come
  SECTION("as long as it is broken") {
    b.look(true);
    CHECK(b.asked);
  }
  SECTION("and not once its node is back") {
    b.nodes.at("n1") = {};
    b.nodes.at("n1").name = "n1";
    b.nodes.at("n1").known = true;
    b.look(true);
    CHECK_FALSE(b.asked);
  }
}

TEST_CASE("a repair job that we did not even offer to the queue is no try, "
          "however often") {
  auto apart = GENERATE(false, true);
  auto b = asking(apart);
  for (int i = 0; i < 10; ++i) {
    b.answer_permit(true);
    REQUIRE(b.repair_under_way());
    refuse_untried(b);
    CHECK(b.machine.tries == 0);
    CHECK(b.machine.due == b.now + seconds{60});
    CHECK(says(b.shown().waits_for, "too many jobs of ours are open"));
    CHECK(says(b.machine.why, "too many jobs of ours are open"));
    b.look();
    CHECK_FALSE(b.asked);
    b.now += seconds{60};
    b.look();
    REQUIRE(b.asked);
  }
  // A person hears of it, for the instance is down.
  CHECK(b.told == texts{"A.HELD_BACK"});
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("a tag job that we did not even offer to the queue is no try, "
          "however often") {
  auto b = broken();
  b.limits.job_delay = seconds{10};
  b.look();
  for (int i = 0; i < 10; ++i) {
    REQUIRE(b.under_way);
    refuse_untried(b);
    CHECK(b.machine.due == b.now + seconds{60});
    b.look();
    CHECK_FALSE(b.under_way);
    b.now += seconds{60};
    b.look();
  }
  CHECK(b.told.empty());
}

TEST_CASE("lack of room is told once, however often nodes are asked anew") {
  auto b = gone();
  b.memory_free = 10;
  b.record.memory_mib = 1024;
  b.room_asked = GENERATE(true, false);
  b.run();
  b.room_asked = true;
  b.run();
  CHECK(says(b.machine.why, "no room"));
  REQUIRE_FALSE(b.story.empty());
  CHECK(says(b.story.back(), "no room"));
  auto told = b.story.size();
  b.room_asked = false;
  b.run();
  auto before = b.machine;
  for (int i = 0; i < 5; ++i) {
    b.now += seconds{30};
    b.prove("n1");
    b.room_asked = i % 2 == 0;
    b.look();
    // What does not change needs not be written down.
    CHECK(b.machine.wants_room);
    CHECK((i < 1 || b.machine == before));
    before = b.machine;
  }
  CHECK(b.story.size() == told);
  CHECK(b.shown().settled);
  b.memory_free = 8192;
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK_FALSE(b.machine.wants_room);
}

TEST_CASE("a mirror that cannot be asked is not waited for") {
  rig b;
  b.mirror_fault = {{"disk/0", false, "n2"}};
  b.cluster_tags = {tagged("fix-storage")};
  b.run(false);
  REQUIRE(b.repair_under_way());
  b.mirror_late = true;
  b.finish_job();
  b.run();
  REQUIRE(says(b.machine.why, "waits to hear how its mirror is now"));
  SECTION("it was marked down") {
    b.record.admin = admin_state::down;
  }
  SECTION("for longer than a quarter of an hour") {
    b.now = b.machine.moved + minutes{15} - millis{10};
    b.look();
    CHECK(says(b.machine.why, "waits to hear how its mirror is now"));
    b.now += minutes{1};
  }
  b.run();
  CHECK(b.machine == state{});
}

TEST_CASE("in a single pass a reinstall whose node another one takes is left "
          "to the next pass, once its tag is there") {
  reservations::table taken;
  permit_request other;
  other.owner = "instance/i2";
  other.act = act_kind::reinstall;
  other.instances = {"i2"};
  other.leaves = {"n1"};
  other.joins = {"n3"};
  reservations::reserve(taken, other, 1, start_time);
  auto wanted = other;
  wanted.owner = "instance/i1";
  wanted.instances = {"i1"};
  auto no = reservations::fits(taken, wanted, 10, 10);
  REQUIRE_FALSE(no.go);

  auto b = gone();
  b.be_harep();
  b.limits.name_nodes = true;
  b.look();
  REQUIRE(b.under_way);
  CHECK_FALSE(b.shown().settled);
  b.do_job();
  REQUIRE(b.asked);
  refuse(b, no.why, true);
  b.look();
  CHECK(b.shown().settled);
  CHECK(b.tags_now() == texts{"pending:reinstall:u1:1700000000:"});
  b.now += seconds{5};
  b.look();
  SECTION("but one that is refused for a while is waited for") {
    REQUIRE(b.asked);
    refuse(b, "starting", false);
    b.look();
    CHECK_FALSE(b.shown().settled);
  }
  SECTION("and so is any by the daemon") {
    b.limits.single_pass = false;
    refuse(b, no.why, true);
    b.look();
    CHECK_FALSE(b.shown().settled);
  }
}

TEST_CASE("a note that fails is written once more in a single pass") {
  auto b = broken();
  b.be_harep();
  b.look();
  b.do_job();
  b.answer_permit(true);
  b.begin_job();
  auto bad = [&](job_phase how) {
    REQUIRE(b.note);
    CHECK_FALSE(b.shown().settled);
    job_event e;
    e.intent = b.note->intent;
    e.phase = how;
    e.status = job_status::error;
    e.at = b.now;
    b.note.reset();
    b.apply(step(b.machine, job_ended{e, b.seen()}, b.limits, b.now));
  };
  bad(GENERATE(job_phase::refused, job_phase::ended, job_phase::overdue));
  REQUIRE(b.note);
  CHECK(b.note->intent.ends_with("-note"));
  SECTION("and then it is there") {
    b.do_note();
    CHECK(b.shown().settled);
    CHECK(b.tags_now() == texts{"pending:failover:u1:1700000000:1002"});
  }
  SECTION("and then no more") {
    bad(job_phase::ended);
    CHECK_FALSE(b.note);
    CHECK(b.shown().settled);
  }
  b.finish_job();
  CHECK(b.machine.jobs == std::vector<job_id>{1002});
}

TEST_CASE("fresh pictures are wanted while something is under way or the last "
          "one is from before what was done") {
  auto b = broken();
  CHECK_FALSE(wants_picture(b.machine, b.seen()));
  b.look();
  CHECK(wants_picture(b.machine, b.seen()));
  b.run();
  CHECK_FALSE(wants_picture(b.machine, b.seen()));
  rig idle;
  idle.kill("n1");
  idle.cluster_tags = {tagged("migrate")};
  idle.look();
  auto old = idle.seen();
  idle.do_job();
  REQUIRE(idle.machine.stage == stage::idle);
  REQUIRE(idle.machine.phase == phase::needs_repair);
  CHECK(wants_picture(idle.machine, old));
  idle.run();
  CHECK_FALSE(wants_picture(idle.machine, idle.seen()));
  idle.machine.moved = idle.now;
  CHECK(wants_picture(idle.machine, idle.seen()));
}

TEST_CASE("the same pending tag on two instances is two repairs") {
  std::set<intent_id> all;
  std::size_t sent = 0;
  for (const auto* name : {"i1", "i2"}) {
    rig b;
    b.limits.job_delay = seconds{10};
    b.record.name = name;
    b.kill("n1");
    b.record.tags = {tagged("pending:failover:" + id1 + ":1699990000:")};
    b.run();
    CHECK(b.record.primary == "n2");
    sent += b.intents.size();
    for (const auto& intent : b.intents) {
      CHECK(intent.starts_with(id1 + "/" + name + "/"));
      CHECK(intent.find(' ') == std::string::npos);
      all.insert(intent);
    }
  }
  CHECK(all.size() == sent);
}

TEST_CASE("a job that waits at its deadline has failed at nothing: its end is "
          "waited for, and it is tried again") {
  auto b = GENERATE(true, false) ? failing_over() : fixing();
  auto risky = is_risky(b.machine.act);
  auto tries = [&] {
    return std::count_if(
      b.repairs.begin(), b.repairs.end(),
      [&](const auto& op) { return op.kind == b.repairs.front().kind; });
  };
  b.end_job(job_phase::overdue,
            GENERATE(job_status::queued, job_status::waiting));
  CHECK(says(b.machine.why, "is canceled"));
  CHECK(b.told == texts{"A.HELD_BACK"});
  b.look();
  CHECK(b.machine.stage == stage::repairing);
  CHECK(tries() == 1);
  SECTION("canceled") {
    b.end_job(job_phase::ended, job_status::canceled);
    CHECK(b.machine.tries == 0);
    b.run();
    CHECK(tries() == 2);
    CHECK(b.machine == state{});
  }
  SECTION("it began after all, and ended well") {
    b.execute(std::vector<opcode>{b.under_way->ops});
    b.end_job(job_phase::ended, job_status::success);
    b.run();
    CHECK(tries() == 1);
    CHECK(b.machine == state{});
  }
  SECTION("it began after all, and failed") {
    b.end_job(job_phase::ended, job_status::error);
    b.run();
    CHECK((b.machine.phase == phase::failed) == risky);
  }
  SECTION("it is told once more after a restart") {
    auto told = b.told;
    b.restart();
    b.end_job(job_phase::overdue, job_status::waiting);
    CHECK(b.told == told);
    b.end_job(job_phase::ended, job_status::canceled);
    b.run();
    CHECK(tries() == 2);
  }
}

} // namespace orderly::repair_patience_test
