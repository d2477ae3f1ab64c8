// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A copy that is known to be faulty is no place for a failover, and a whole one
// is not given up for a new one, made from what is faulty.

#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_copy_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

/// Its mirror was faulty when it was asked last, and its home is dead.
rig faulty(const std::vector<disk_fault>& fault = {{"disk/0", false, "n2"}}) {
  rig b;
  b.cluster_tags = {tagged("failover")};
  b.heard = {fault, false, b.now};
  b.look();
  b.heard = {}; // as after a restart: nobody can be asked any more
  b.kill("n1");
  return b;
}

} // namespace

TEST_CASE("a failover to a copy that was faulty when it was asked last is a "
          "person's, who is told once") {
  auto b = faulty();
  b.run();
  b.run();
  CHECK(b.repairs.empty());
  CHECK(b.intents.empty());
  CHECK(b.machine.phase == phase::needs_repair);
  CHECK(says(b.machine.why, "is known to be faulty since"));
  CHECK(says(b.machine.why, "orderly node modify --offline=no n1"));
  CHECK(b.told == texts{"A.COPY_FAULTY"});
}

TEST_CASE("what is known of a mirror does not vanish with who could tell") {
  auto b = faulty();
  b.nodes["n1"].offline = false;
  b.look();
  CHECK(b.machine.phase == phase::needs_repair);
  CHECK(says(b.machine.why, "cannot be asked just now"));
  CHECK(b.told.empty());
}

TEST_CASE("a later answer that it is well ends it, and so does a new mirror") {
  auto b = faulty();
  b.run();
  REQUIRE(b.repairs.empty());
  SECTION("well") {
    b.now += seconds{1};
    b.heard = {{}, true, b.now};
  }
  SECTION("new") {
    b.record.secondaries = {"n3"};
  }
  b.run(false);
  REQUIRE(b.repairs.size() == 1);
  CHECK(b.repairs[0].kind == op_kind::instance_failover);
  CHECK(b.machine.bad_copy.empty());
}

TEST_CASE(
  "a copy whose node was out of service while the instance ran is behind "
  "until a later reading says well") {
  rig b;
  b.cluster_tags = {tagged("failover")};
  b.heard = {{}, true, b.now}; // from before
  b.nodes["n1"].lives = true;
  b.kill("n2");
  b.look();
  b.now += minutes{20};
  b.nodes["n2"].offline = false;
  SECTION("read since") {
    b.heard.at = b.now;
    b.kill("n1");
    b.run(false);
    REQUIRE(b.repairs.size() == 1);
    CHECK(b.repairs[0].kind == op_kind::instance_failover);
  }
  SECTION("not read since") {
    b.kill("n1");
    b.run();
    CHECK(b.repairs.empty());
    CHECK(b.told == texts{"A.COPY_FAULTY"});
  }
}

TEST_CASE("a copy whose node was not heard while the instance ran is behind "
          "until a later reading says well") {
  rig b;
  b.cluster_tags = {tagged("failover")};
  b.heard = {{}, true, b.now}; // from before
  b.nodes["n2"].troubled = true;
  b.heard.apart = b.now - minutes{1};
  b.look();
  CHECK(says(b.machine.why, "its copy counts as behind since"));
  CHECK(says(b.machine.why, "n2 was not heard while"));
  CHECK(b.told.empty());
  b.now += minutes{20};
  b.nodes["n2"].troubled = false;
  b.heard.apart = never;
  SECTION("read since") {
    b.heard.at = b.now;
    b.kill("n1");
    b.run(false);
    REQUIRE(b.repairs.size() == 1);
    CHECK(b.repairs[0].kind == op_kind::instance_failover);
  }
  SECTION("not read since") {
    b.kill("n1");
    b.run();
    CHECK(b.repairs.empty());
    CHECK(b.told == texts{"A.COPY_FAULTY"});
  }
}

namespace {

/// The job that was to make a new mirror ended so, and the record names it.
rig remade(job_status how, admin_state admin = admin_state::up) {
  rig b;
  b.cluster_tags = {tagged("failover")};
  b.record.admin = admin;
  b.nodes["n2"].drained = true;
  b.run(false);
  REQUIRE(b.repairs.size() == 1);
  b.record.secondaries = {"n3"};
  b.end_job(job_phase::ended, how);
  b.now += minutes{5};
  return b;
}

} // namespace

TEST_CASE("a mirror whose making did not end well is half made until its nodes "
          "say well") {
  auto b = remade(GENERATE(job_status::error, job_status::lost));
  b.run(false);
  CHECK(says(b.machine.why, "until Ganeti says that its mirror is well"));
  CHECK(b.tags_now().front().find("pending:") == 0);
  SECTION("and the next failover does not go there") {
    b.kill("n1");
    b.run(false);
    CHECK(b.repairs.size() == 1);
    CHECK(b.told == texts{"A.COPY_FAULTY"});
  }
  SECTION("which they do") {
    b.heard = {{}, true, b.now};
    b.run();
    CHECK(b.repairs.size() == 1);
    CHECK(b.machine.unmade_from.empty());
    CHECK(b.machine.bad_copy.empty());
  }
}

TEST_CASE("a mirror that was made to its end is whole") {
  auto b = remade(job_status::success);
  b.run(false);
  CHECK(b.machine.bad_copy.empty());
  CHECK(b.machine.unmade_from.empty());
}

TEST_CASE("a job that was canceled has made nothing") {
  auto b = remade(job_status::canceled);
  CHECK(b.machine.unmade_from.empty());
}

TEST_CASE("what is stopped gets its half made mirror written anew, for nobody "
          "can ask it") {
  auto b = remade(job_status::error, admin_state::down);
  b.run(false);
  REQUIRE(b.repairs.size() == 2);
  CHECK(b.repairs[1].kind == op_kind::replace_disks);
  b.end_job(job_phase::ended, job_status::success);
  b.run();
  CHECK(b.machine.bad_copy.empty());
  CHECK(b.machine.unmade_from.empty());
}

TEST_CASE("a broken disk on the old home alone leaves the copy a good one") {
  auto both = GENERATE(false, true);
  auto b
    = faulty({{"disk/0", true, "n1"}, {"disk/1", !both, both ? "n2" : "n1"}});
  b.run(false);
  CHECK(b.repairs.size() == (both ? 0U : 1U));
}

TEST_CASE("a copy that was being synchronised is no place for a failover, and "
          "one that gave is") {
  auto gave = GENERATE(false, true);
  auto b = faulty({{"disk/0", false, gave ? "n1" : "n2", true}});
  b.run(false);
  CHECK(b.repairs.size() == (gave ? 1U : 0U));
  CHECK(b.told == (gave ? texts{} : texts{"A.COPY_FAULTY"}));
}

TEST_CASE("a mirror that is being synchronised is no trouble") {
  rig b;
  b.cluster_tags = {tagged("failover")};
  b.heard = {{{"disk/0", false, "n2", true}}, false, b.now};
  b.mirror_syncs = true;
  b.run();
  CHECK(b.intents.empty());
  CHECK(b.machine.phase == phase::healthy);
  CHECK(b.told.empty());
}

TEST_CASE("a repair has not ended well while its mirror is written anew") {
  rig b;
  b.cluster_tags = {tagged("failover")};
  b.record.tags = {tagged("pending:fix-storage:x1:1699990000:")};
  b.heard = {{{"disk/0", false, "n2", true}}, false, b.now};
  b.mirror_syncs = true;
  b.run();
  CHECK(b.machine.phase == phase::pending);
  CHECK(says(b.machine.why, "is written anew"));
  CHECK(b.intents.empty());
  b.now += seconds{1};
  b.heard = {{}, true, b.now};
  b.mirror_syncs = false;
  b.run();
  CHECK(b.tags_now() == texts{"result:fix-storage:x1:1700000001:success:"});
}

TEST_CASE("what is known of a copy stays true under another name, and whoever "
          "is told of it is told anew") {
  auto b = faulty();
  b.run();
  REQUIRE(b.machine.copy_told);
  auto other = b;
  other.machine = nameless_from(nameless_fields(b.machine));
  CHECK(other.machine.bad_copy == "n2");
  CHECK(other.machine.repair.empty());
  other.record.name = "shop";
  other.told.clear();
  other.run();
  CHECK(other.repairs.empty());
  CHECK(other.told == texts{"A.COPY_FAULTY"});
}

TEST_CASE("that a copy was mended stays true under another name, unless that "
          "failed") {
  state s;
  s.bad_copy = "n2";
  s.remade = instant{hours{470'000}};
  s.last_failed = GENERATE(false, true);
  auto later = nameless_from(nameless_fields(s));
  CHECK(later.remade == (s.last_failed ? never : s.remade));
  s.bad_copy.clear();
  CHECK(nameless_fields(s) == fields{});
}

TEST_CASE("nobody is alarmed for a failover that is not permitted") {
  auto b = faulty();
  b.cluster_tags = {tagged(GENERATE("migrate", "suspend"))};
  b.run();
  CHECK(b.told.empty());
}

TEST_CASE("a fault of which nobody knows whether it was the home that died is "
          "not remembered") {
  rig b;
  b.cluster_tags = {tagged("failover")};
  b.heard.fault = {{"disk/0", false, "n2"}};
  b.heard.pending = true;
  b.heard.at = b.now;
  b.look();
  CHECK(says(b.machine.why, "is known to be faulty since"));
  CHECK(b.machine.bad_copy.empty());
  SECTION("its home was dying") {
    b.heard.fault.clear();
    b.heard.pending = false;
    b.kill("n1");
    b.run(false);
    REQUIRE(b.repairs.size() == 1);
    CHECK(b.repairs[0].kind == op_kind::instance_failover);
  }
  SECTION("its home was heard after that") {
    b.heard.pending = false;
    b.look();
    CHECK(b.machine.bad_copy == "n2");
    b.heard = {};
    b.kill("n1");
    b.run();
    CHECK(b.repairs.empty());
  }
}

TEST_CASE("a fault that is known stays so whatever is heard of its home") {
  auto b = faulty();
  b.nodes["n1"].offline = false;
  b.heard.fault = {{"disk/0", false, "n2"}};
  b.heard.pending = true;
  b.heard.at = b.now;
  b.look();
  CHECK(b.machine.bad_copy == "n2");
}

TEST_CASE(
  "a whole copy that is out of service is not given up while the home's "
  "own disk is broken, or was when it was heard last") {
  auto b = poor();
  auto restarted = GENERATE(false, true);
  if (restarted) {
    b.machine = from_fields(to_fields(b.machine));
    b.heard = {};
  }
  if (GENERATE(false, true))
    b.heard.asked = false; // nobody asks any more
  b.nodes["n2"].offline = true;
  b.run();
  CHECK(b.repairs.empty());
  CHECK(says(b.machine.why, "what is on n2 is not given up"));
  CHECK(b.told == texts{"A.COPY_FAULTY"});
  b.heard.asked = true;
  SECTION("a later answer that it is well ends it") {
    b.heard = {{}, true, b.now + seconds{1}};
  }
  SECTION("so does one that only the other is faulty") {
    b.heard = {{{"disk/0", true, "n2"}}, false, b.now + seconds{1}};
  }
  SECTION("so does a new mirror") {
    b.record.secondaries = {"n3"};
    b.nodes["n3"].offline = true;
    b.heard = {};
  }
  b.now += seconds{2};
  b.run(false);
  REQUIRE(b.repairs.size() == 1);
  CHECK(b.repairs[0].kind == op_kind::replace_disks);
}

TEST_CASE("a home's broken disk is mended before its drained mirror is left") {
  auto b = poor();
  b.nodes["n2"].drained = true;
  b.run();
  CHECK(b.repairs.empty()); // it said so only once
  b.mirror_fault = at_home;
  b.run(false);
  REQUIRE(b.repairs.size() == 2);
  CHECK(b.repairs[0].kind == op_kind::activate_disks);
  CHECK(b.repairs[1].flag);
  b.finish_job();
  b.mirror_fault.clear();
  b.now += seconds{1};
  b.heard = {{}, true, b.now};
  b.run(false);
  REQUIRE(b.repairs.size() == 3);
  CHECK_FALSE(b.repairs[2].flag);
}

TEST_CASE("where mending the home's disk fails no copy is given up for it") {
  auto b = poor();
  b.mirror_fault = at_home;
  for (auto tries = b.limits.tries_max; tries > 0; --tries) {
    b.run(false);
    REQUIRE(b.repair_under_way());
    CHECK(b.repairs.back().flag);
    b.end_job(job_phase::ended, job_status::error);
    b.now += hours{1};
  }
  b.run();
  CHECK(b.machine.phase == phase::failed);
}

TEST_CASE("what is known of the home's disk stays true under another name") {
  auto b = poor();
  REQUIRE_FALSE(b.machine.home_fault.empty());
  CHECK(nameless_from(nameless_fields(b.machine)).home_fault
        == b.machine.home_fault);
}

TEST_CASE("a fault of the home of which nobody knows whether it was dying is "
          "not remembered, and holds meanwhile") {
  rig b;
  b.heard = {at_home, false, b.now};
  b.heard.pending = true;
  b.look();
  CHECK_FALSE(b.seen().home_fault.empty());
  CHECK(b.machine.home_fault.empty());
}

} // namespace orderly::repair_copy_test
