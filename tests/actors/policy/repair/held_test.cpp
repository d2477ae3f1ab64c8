// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds the machine back, and what it says of it: suspensions on any
// object, observing, jobs of others, mirrors.

#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_held_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

TEST_CASE("the nearest object with an opinion suspends or permits") {
  struct row {
    texts own, group, cluster;
    bool repaired;
  };

  const std::string f = tagged("failover");
  const std::string s = tagged("suspend");
  const std::string later = tagged("suspend:1700003600");
  const std::string before = tagged("suspend:1600000000");
  const std::string typo = tagged("suspend:tomorrow");
  const std::vector<row> rows{
    {{s}, {f}, {f}, false},       {{f, s}, {}, {}, false},
    {{f}, {s}, {s}, true},        {{}, {s}, {f}, false},
    {{}, {f}, {s}, true},         {{}, {}, {f, s}, false},
    {{later}, {}, {f}, false},    {{before}, {}, {f}, true},
    {{f, later}, {}, {}, false},  {{f, before}, {}, {}, true},
    {{typo}, {}, {f}, false},     {{f, typo}, {}, {}, false},
    {{}, {typo}, {f}, false},     {{}, {before}, {f}, true},
    {{}, {f, later}, {f}, false},
  };
  for (const auto& r : rows) {
    CAPTURE(r.own, r.group, r.cluster);
    rig b;
    b.kill("n1");
    b.record.tags = r.own;
    b.group_tags = r.group;
    b.cluster_tags = r.cluster;
    b.run();
    CHECK((b.record.primary == "n2") == r.repaired);
    if (!r.repaired)
      CHECK(b.record.tags == r.own);
    CHECK(says(b.shown().permission, "suspended") == !r.repaired);
  }
}

TEST_CASE("a pending tag permits nothing while its object is suspended") {
  rig b;
  b.kill("n1");
  b.record.tags = {tagged("pending:failover:" + id1 + ":1699990000:")};
  b.group_tags = {tagged("suspend:1700003600")};
  b.run();
  CHECK(b.intents.empty());
  CHECK(b.machine.phase == phase::pending);
  b.now += hours{1};
  b.prove("n1");
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("a failed instance that is suspended keeps even what is over") {
  rig b;
  b.record.tags = {tagged("result:failover:x:1600000000:failure:"),
                   tagged("suspend:1600000000"), tagged("suspend")};
  b.run();
  CHECK(b.intents.empty());
  CHECK(b.machine.phase == phase::failed);
}

TEST_CASE("observing it says what it would do, and does nothing") {
  rig b;
  b.limits.observe = true;
  std::string text;
  SECTION("a repair") {
    b.kill("n1");
    b.cluster_tags = {tagged("failover")};
    text = "would fail over: primary n1 is offline, but auto-repair only "
           "observes";
  }
  SECTION("enoperm") {
    b.kill("n1");
    b.cluster_tags = {tagged("migrate")};
    text = "would write that the permission is too weak";
  }
  SECTION("tags that are over") {
    b.record.tags = {tagged("suspend:1600000000")};
    text = "would remove tags that are over";
  }
  SECTION("the end of a repair") {
    b.record.tags = {tagged("pending:failover:" + id1 + ":1699990000:")};
    text = "would write that the repair ended well";
  }
  SECTION("a failure") {
    b.kill("n1");
    b.record.tags = {tagged("pending:failover:" + id1 + ":1699990000:101")};
    text = "only observes";
  }
  b.run();
  CHECK(b.intents.empty());
  CHECK_FALSE(b.asked);
  CHECK(says(b.machine.why, text));
  REQUIRE_FALSE(b.story.empty());
  auto told = b.story.size();
  b.run();
  CHECK(b.story.size() == told);
  CHECK(b.shown().settled);
}

TEST_CASE("a mirror that is faulty where it is gets mended there") {
  rig b;
  b.mirror_fault = {{"disk/0", false, "n2"}};
  b.cluster_tags = {tagged("fix-storage")};
  b.record.admin = GENERATE(admin_state::up, admin_state::down);
  b.run();
  // What runs may only have to be joined again.
  auto first = b.record.admin == admin_state::up ? 1U : 0U;
  REQUIRE(b.repairs.size() == first + 1);
  CHECK((b.repairs[0].kind == op_kind::activate_disks) == (first == 1));
  CHECK(b.repairs[first].kind == op_kind::replace_disks);
  CHECK(b.repairs[first].flag);
  CHECK(b.repairs[first].allocator.empty());
  CHECK(b.record.secondaries == std::vector<node_name>{"n2"});
  CHECK(b.machine == state{});
}

TEST_CASE("a mended mirror is asked how it is before the repair is judged") {
  rig b;
  b.mirror_fault = {{"disk/0", false, "n2"}};
  b.cluster_tags = {tagged("failover")};
  b.run(false);
  REQUIRE(b.repair_under_way());
  b.mirror_late = true; // what is known of it is old from now on
  b.finish_job();
  auto still
    = std::vector<disk_fault>(GENERATE(0U, 1U), {"disk/0", false, "n2"});
  b.mirror_fault = still;
  b.run();
  CHECK(b.repairs.size() == 2); // activate, replace
  CHECK(says(b.shown().waits_for, "waits to hear how its mirror is now"));
  SECTION("but not if its primary dies meanwhile") {
    b.kill("n1");
    b.run(false);
    CHECK(b.repairs.size() == 3);
    CHECK(b.repairs.back().kind == op_kind::instance_failover);
  }
  SECTION("and then goes on, elsewhere if mending did not help") {
    b.mirror_late = false;
    b.run();
    CHECK(b.repairs.size() == 2); // others after a pause only
    b.now += hours{1};
    b.run(false);
    CHECK(b.repairs.size() == (still.empty() ? 2U : 3U));
    CHECK(b.repairs.back().flag == still.empty());
  }
}

TEST_CASE("a new mirror is not judged by what was wrong with the old one") {
  auto failed = GENERATE(false, true); // then the plan is not to mend
  auto b = fixing();
  if (failed) {
    b.end_job(job_phase::ended, job_status::error);
    b.now += hours{1};
    b.run(false);
  }
  auto sent = b.repairs.size();
  b.mirror_fault = {{"disk/0", false, "n2"}};
  b.mirror_late = true;
  b.finish_job();
  b.run();
  CHECK(b.repairs.size() == sent);
  CHECK(says(b.shown().waits_for, "waits to hear how its mirror is now"));
  b.mirror_fault.clear();
  b.mirror_late = false;
  b.run();
  CHECK(b.machine == state{});
}

TEST_CASE("the offline mark vouches only for nodes without power control") {
  auto b = broken();
  b.nodes["n1"].proved_down.reset();
  b.limits.offline_vouches = true;
  b.nodes["n1"].power_control = GENERATE(false, true);
  b.run();
  CHECK((b.record.primary == "n2") == !b.nodes["n1"].power_control);
}

TEST_CASE("with a delay the id of a job is in the tag while the job waits") {
  auto b = broken();
  b.limits.job_delay = seconds{10};
  b.run(false);
  CHECK(b.under_way->ops.front().kind == op_kind::wait);
  CHECK(b.under_way->ops.front().span == seconds{10});
  CHECK(b.tags_now() == texts{"pending:failover:u1:1700000000:1002"});
  b.finish_job();
  b.run();
  CHECK(b.tags_now()
        == texts{"result:failover:u1:1700000000:success:1002+1003"});
}

TEST_CASE("a note that fails is made up for by the next step") {
  auto b = broken();
  b.limits.job_delay = seconds{10};
  b.look();
  b.do_job();
  b.answer_permit(true);
  b.begin_job();
  REQUIRE(b.note);
  CHECK_FALSE(b.shown().settled);
  b.note->ops.clear(); // it changes nothing
  SECTION("refused") {
    job_event e;
    e.intent = b.note->intent;
    e.phase = job_phase::refused;
    b.note.reset();
    b.apply(step(b.machine, job_ended{e, b.seen()}, b.limits, b.now));
  }
  SECTION("after the repair, which ended first") {
    b.finish_job();
    CHECK(b.machine.stage == stage::idle);
    CHECK_FALSE(b.shown().settled);
    job_event e;
    e.intent = b.note->intent;
    e.phase = job_phase::ended;
    e.status = job_status::error;
    e.at = b.now;
    b.note.reset();
    b.apply(step(b.machine, job_ended{e, b.seen()}, b.limits, b.now));
  }
  b.run();
  CHECK(b.machine == state{});
  REQUIRE(b.tags_now().size() == 1);
  CHECK(says(b.tags_now()[0], "success:1002+"));
}

TEST_CASE("a failover waits while its target does not answer, and says so") {
  auto b = broken();
  b.nodes["n2"].troubled = true;
  b.run();
  CHECK(b.repairs.empty());
  CHECK(b.machine.phase == phase::needs_repair);
  CHECK(says(b.machine.why, "node n2 does not answer just now"));
  b.nodes["n2"].troubled = false;
  b.run();
  REQUIRE_FALSE(b.repairs.empty());
  CHECK(b.repairs[0].kind == op_kind::instance_failover);
}

TEST_CASE(
  "a target that falls ill while the permit is asked for is left alone") {
  auto b = broken();
  b.look();
  REQUIRE(b.asked);
  b.nodes["n2"].troubled = true;
  b.answer_permit(true);
  CHECK(b.repairs.empty());
  CHECK(b.given_back == 1);
}

TEST_CASE("nothing is repaired where a person holds a node, until it is let "
          "go") {
  rig b;
  b.kill("n1");
  b.cluster_tags = {tagged("failover")};
  b.held = "emergency power-off epo-1 by root";
  b.run();
  CHECK(b.intents.empty());
  CHECK(b.record.primary == "n1");
  CHECK(b.shown().permission == "held: emergency power-off epo-1 by root");
  CHECK(says(b.shown().waits_for, "emergency power-off epo-1"));
  b.held.clear();
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE(
  "a verdict that nobody may write stands when its trouble comes back") {
  auto b = fixing();
  b.limits.tries_max = 1;
  b.record.tags.push_back(tagged("suspend"));
  b.end_job(job_phase::ended, job_status::error);
  b.run();
  REQUIRE(b.machine.phase == phase::failed);
  b.nodes["n2"].offline = false;
  b.now += minutes{20};
  b.heard = {{}, true, b.now};
  b.run();
  REQUIRE(needed(b.seen()).why.empty());
  b.now += minutes{1};
  b.run();
  b.nodes["n2"].offline = true;
  b.now += minutes{1};
  b.run();
  std::erase(b.record.tags, tagged("suspend"));
  b.now += minutes{1};
  b.run();
  CHECK(b.machine.phase == phase::failed);
  CHECK(b.repairs.size() == 1);
  REQUIRE(b.tags_now().size() == 1);
  CHECK(says(b.tags_now().front(), "failure:1001"));
}

} // namespace orderly::repair_held_test
