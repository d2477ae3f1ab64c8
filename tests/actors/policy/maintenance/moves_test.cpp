// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an event moves, and calls back.

#include "actors/policy/maintenance/event.hpp"
#include "tests/actors/policy/maintenance/life.hpp"

#include <catch2/catch.hpp>

namespace orderly::maintenance_test {

namespace {

using act = event_action;
using p = event_phase;

} // namespace

TEST_CASE("what asks its home first waits for jobs of ours on its nodes") {
  life x{act::evacuate_failover};
  x.limits.ask_home = true;
  x.limits.debounce_failover = 1;
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.add("i2", "n2", "n3");
  x.add("i3", "n3", "n4");
  auto sent = [&x] {
    x.read();
    x.plan({{"i1", {{false, "n2"}}}});
    x.read();
    return x.sent.size();
  };
  auto job = [&x](std::string reason, instance_name name) {
    x.record.jobs = {{7, {std::move(name)}, {}, std::move(reason)}};
  };
  SECTION("of another event, on its target") {
    job("incident=V intent=event-V-1-move", "i2");
    CHECK(sent() == 0);
    CHECK_THAT(x.s.why, Catch::Contains("job 7"));
    x.record.jobs.clear();
    CHECK(sent() == 1);
  }
  SECTION("elsewhere") {
    job("incident=V intent=event-V-1-move", "i3");
    CHECK(sent() == 1);
  }
  SECTION("a person's") {
    job("by hand", "i2");
    CHECK(sent() == 1);
  }
  SECTION("one that came before it leaves") {
    REQUIRE(sent() == 1);
    auto against = [&x] {
      x.seen.picture = std::make_shared<const cluster_record>(x.record);
      return objection(x.s, x.sent.back().intent, x.seen, x.limits, x.now);
    };
    CHECK(against().empty());
    job("incident=V intent=event-V-1-move", "i2");
    CHECK_THAT(against(), Catch::Contains("job 7"));
  }
}

TEST_CASE("a step that was done is not sent again by a reading that is torn") {
  life x{act::evacuate};
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.read();
  x.plan({{"i1", {{true, "n3"}, {false, "n3"}}}});
  REQUIRE(x.last() == op_kind::replace_disks);
  x.end(job_status::success);
  auto sent = x.sent.size();
  // Begun after the job, and its instances are from before; so is the plan.
  x.read();
  x.plan({{"i1", {{true, "n3"}, {false, "n3"}}}});
  x.read();
  CHECK(x.sent.size() == sent);
  SECTION("then it shows what the job did") {
    x.instance("i1").secondaries = {"n3"};
    x.read();
    x.plan({{"i1", {{false, "n3"}}}});
    x.read();
    CHECK(x.sent.size() == sent + 1);
    CHECK(x.last() == op_kind::instance_migrate);
  }
  SECTION("or somebody has undone it") {
    x.now += torn_within;
    x.read();
    x.plan({{"i1", {{true, "n3"}, {false, "n3"}}}});
    x.read();
    CHECK(x.sent.size() == sent + 1);
  }
}

TEST_CASE("nothing more leaves while it is not heard how a job has ended") {
  life x{act::evacuate};
  x.add("i2", "n1", "n2");
  x.limits.moves_parallel_max = 2;
  x.send_move();
  job_event e;
  e.intent = x.sent[0].intent;
  e.phase = job_phase::submitted;
  e.id = 7;
  x.feed(e);
  x.now += plan_pause;
  SECTION("it is over by this reading") {
    x.read();
    x.plan({{"i2", {{false, "n2"}}}});
    x.read();
    CHECK(x.sent.size() == 1);
  }
  SECTION("it goes on") {
    running_job job;
    job.id = 7;
    x.record.jobs.push_back(job);
    x.read();
    x.plan({{"i2", {{false, "n2"}}}});
    x.read();
    CHECK(x.sent.size() == 2);
  }
}

TEST_CASE("what another event moved is not moved again by a torn reading") {
  life x{act::evacuate};
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.read();
  SECTION("it is seen where it was") {
    x.around.left["i1"] = {{"n1", "n2"}, x.now};
    x.plan({{"i1", {{false, "n2"}}}});
    x.read();
    CHECK(x.sent.empty());
  }
  SECTION("it was moved from elsewhere, or long ago") {
    x.around.left["i1"] = {{"n3", "n2"}, x.now};
    x.plan({{"i1", {{false, "n2"}}}});
    x.read();
    CHECK(x.sent.size() == 1);
  }
  SECTION("what an event moved others hear of, as long as it counts") {
    x.plan({{"i1", {{false, "n2"}}}});
    REQUIRE(x.sent.size() == 1);
    x.end(job_status::success);
    auto told = standing_of(x.s).left;
    REQUIRE(told.count("i1") == 1);
    CHECK(told.at("i1").from == instance_place{"n1", "n2"});
    x.now += torn_within;
    x.read();
    CHECK(standing_of(x.s).left.empty());
  }
}

TEST_CASE("a step that is held back waits longer each time, and a person hears "
          "of it once") {
  life x{act::evacuate};
  x.limits.evidence_max_age = hours{24};
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.read();
  auto refuse = [&x] {
    x.plan({{"i1", {{false, "n2"}}}});
    x.read();
    job_event e;
    e.intent = x.sent.back().intent;
    e.phase = job_phase::refused;
    e.untried = true;
    e.text = "its mirror is faulty";
    x.feed(e);
    return x.s.plan_due - x.now;
  };
  auto last = millis{0};
  for (std::uint32_t n = 1; n < 2 * held_told; ++n) {
    auto pause = refuse();
    CHECK(pause >= last);
    CHECK(x.alerts.size() == (n < held_told ? 0U : 1U));
    last = pause;
    x.now += pause;
    x.read();
  }
  CHECK(last == x.limits.retry_max);
  CHECK(x.alerts[0].find("its mirror is faulty") != std::string::npos);
  refuse();
  x.now += last;
  x.read();
  x.plan({{"i1", {{false, "n2"}}}});
  x.read();
  x.end(job_status::success);
  CHECK(x.s.held == 0);
}

TEST_CASE("what waits in the queue is called back once it is not right") {
  life x{act::evacuate};
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.read();
  x.plan({{"i1", {{false, "n2"}}}});
  REQUIRE(x.last() == op_kind::instance_migrate);
  x.read();
  REQUIRE(x.withdrawn.empty());
  SECTION("its home was marked offline") {
    x.node().offline = true;
  }
  SECTION("its home is in trouble") {
    x.around.troubled["n1"] = "does not answer";
  }
  SECTION("its new home is closed") {
    x.around.closed["n2"] = "is ordered off";
  }
  SECTION("its new home takes none") {
    x.node(1).drained = true;
  }
  SECTION("it was suspended") {
    x.instance("i1").tags = {"ganeti:watcher:autorepair:suspend"};
  }
  SECTION("it was stopped") {
    x.instance("i1").admin = admin_state::down;
  }
  SECTION("nothing is done any more") {
    x.limits.mode = repair_mode::observe;
  }
  SECTION("others may act") {
    x.seen.no_right = "the master is node9";
    x.seen.usurper = "node9";
  }
  auto sent = x.sent.size();
  x.read();
  CHECK(x.withdrawn == std::vector<std::string>{x.sent.back().intent});
  CHECK(x.sent.size() == sent);
  x.read();
  CHECK(x.withdrawn.size() == 1);
  x.end(job_status::canceled);
  CHECK(x.s.phase == p::evacuating);
}

TEST_CASE("what is mirrored moves to its mirror, whatever was planned") {
  life x{act::evacuate};
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.read();
  x.plan({{"i1", {{false, "n3"}}}});
  CHECK(x.sent.empty());
  x.now += plan_pause;
  x.read();
  x.plan({{"i1", {{false, "n2"}}}});
  CHECK(x.sent.size() == 1);
}

TEST_CASE("a plan from before the last job fits no more") {
  life x{act::evacuate};
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.read();
  x.around.troubled["n1"] = "does not answer";
  x.plan({{"i1", {{true, "n3"}, {false, "n3"}}}});
  x.instance("i1").secondaries = {"n3"};
  x.around.troubled.clear();
  x.now += plan_pause;
  x.read();
  CHECK(x.sent.empty());
  CHECK(x.plans > 1);
}

TEST_CASE("what follows in a plan rests on the step before it") {
  life x{act::evacuate};
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.read();
  x.plan({{"i1", {{false, "n2"}, {true, "n3"}}}});
  REQUIRE(x.last() == op_kind::instance_migrate);
  x.node(1).drained = true;
  x.read();
  REQUIRE(x.withdrawn.size() == 1);
  auto sent = x.sent.size();
  x.end(job_status::canceled);
  x.read();
  CHECK(x.sent.size() == sent);
}

TEST_CASE("nothing is moved whose mirror an emergency power-off has") {
  life x{act::evacuate};
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.read();
  x.around.powered_off["n2"] = "is held: an emergency power-off works on it";
  x.plan({{"i1", {{true, "n3"}, {false, "n3"}}}});
  CHECK(x.sent.empty());
  x.around.powered_off.clear();
  x.read();
  CHECK(x.last() == op_kind::replace_disks);
}

TEST_CASE("a mirror does not move while its instance's home is held") {
  life x{act::evacuate};
  x.node().drained = true;
  x.add("i1", "n2", "n1");
  x.read();
  x.around.troubled["n2"] = "is held: an emergency power-off works on it";
  x.plan({{"i1", {{true, "n3"}}}});
  CHECK(x.sent.empty());
  x.around.troubled.clear();
  x.read();
  CHECK(x.last() == op_kind::replace_disks);
}

} // namespace orderly::maintenance_test
