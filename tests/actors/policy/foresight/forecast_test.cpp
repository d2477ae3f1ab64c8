// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The sentence about an instance: what will be done, or why nothing will.

#include "actors/policy/foresight/forecast.hpp"
#include "tests/support/views.hpp"

#include <catch2/catch.hpp>

namespace orderly::foresight_forecast_test {

using namespace orderly::test;
using foresight::forecast_for;
using foresight::prospect;
using foresight::words_of;

namespace {

/// web1 of the small cluster, permitted what it takes.
struct stage {
  stage() {
    x.standing.allowed = {false, repair_type::failover};
    x.standing.permitted_by = "tag f on cluster";
    x.standing.next = "failover of web1";
    x.standing.waits_for.clear();
  }

  [[nodiscard]] foresight::forecast now() const {
    return forecast_for(x, s, {{"node2", {false, ""}}});
  }

  instance_row x = small_cluster().instances[0];
  status_row s = small_cluster().status;
};

} // namespace

TEST_CASE("a healthy instance is told with the nodes that are in service") {
  auto x = healthy_instance("web2");
  auto s = small_cluster().status;
  auto f = forecast_for(x, s, {});
  CHECK(f.what == prospect::healthy);
  CHECK(f.text == "healthy: its node node1 is in service");
  x.secondaries = {"node2"};
  CHECK(forecast_for(x, s, {}).text
        == "healthy: its nodes node1 and node2 are in service");
}

TEST_CASE("nodes that are not in service are not said to be") {
  auto x = healthy_instance("web2");
  x.secondaries = {"node2"};
  x.standing.why = "nothing is wrong that a repair would help";
  CHECK(forecast_for(x, small_cluster().status, {{"node2", {false, ""}}}).text
        == "healthy: nothing is wrong that a repair would help");
  x.standing.wrong = "primary node2 is drained";
  CHECK(forecast_for(x, small_cluster().status, {{"node2", {false, ""}}}).text
        == "healthy, although primary node2 is drained");
}

TEST_CASE("an instance on a node that reads off is not called healthy") {
  auto x = healthy_instance("web2");
  auto status = small_cluster().status;
  node_row node;
  node.name = "node1";
  node.standing.node = "node1";
  node.standing.phase = ha_phase::ineligible;
  node.standing.power = power_state::off;
  node.standing.power_since = status.now - seconds{12};
  node.standing.power_text = "power status off by oob-ipmi";
  auto look
    = [&] { return forecast_for(x, status, words_of({node}, status.now)); };
  CHECK(look().what == prospect::probably_down);
  CHECK(look().text
        == "probably down: its node node1 reads off for 12s: power status off "
           "by oob-ipmi; what may be done is judged once node1 is proved off "
           "and marked offline");
  // It answers its health checks: what was read before is over.
  node.standing.phase = ha_phase::available;
  CHECK(look().what == prospect::healthy);
  // A proof, and how old it is.
  node.standing.phase = ha_phase::fencing;
  node.standing.proved_down
    = proof{"node1", proof_level::power_status, "power status off",
            status.now - minutes{2}};
  CHECK(contains(look().text, "node1 is off: power status off, 2m 0s ago"));
  // What is wanted down is not missed.
  x.admin = "down";
  CHECK(look().what == prospect::healthy);
}

TEST_CASE("an instance on a node in trouble is told with the trouble's age") {
  auto x = healthy_instance("web2");
  auto status = small_cluster().status;
  node_row node;
  node.name = "node1";
  node.standing.phase = ha_phase::suspect;
  node.standing.troubled = true;
  node.standing.since = status.now - seconds{40};
  node.standing.reason = "health check failed";
  auto f = forecast_for(x, status, words_of({node}, status.now));
  CHECK(f.what == prospect::probably_down);
  CHECK(contains(f.text, "node1 is suspect for 40s: health check failed"));
  // Its mirror's node is none of its business.
  node.name = "node2";
  x.secondaries = {"node2"};
  f = forecast_for(x, status, words_of({node}, status.now));
  CHECK(f.what == prospect::healthy);
}

TEST_CASE("nobody is led to a reinstall while a copy of the data may live") {
  stage at;
  at.x.standing.needed = repair_type::reinstall;
  at.x.standing.next = "new disks of web1";
  at.x.standing.may_live = {"node2"};
  at.x.standing.waits_for = "node2 back in service";
  for (auto most : {repair_type::migrate, repair_type::reinstall}) {
    at.x.standing.allowed = {false, most};
    auto may = most == repair_type::reinstall;
    CHECK(at.now().what == (may ? prospect::waits : prospect::not_permitted));
    CHECK(contains(at.now().text, "node2 may live and holds its data"));
    CHECK(contains(at.now().text, "waits for: node2 back in service"));
    CHECK_FALSE(contains(at.now().text, "reinstall"));
  }
  at.x.standing.may_live.clear();
  at.x.standing.waits_for.clear();
  CHECK(at.now().what == prospect::will_act);
  CHECK(contains(at.now().text,
                 "next: new disks of web1, which destroys the data of web1"));
}

TEST_CASE("a spent budget holds what it is for, and nothing else") {
  stage at;
  at.s.guard.fences_left = 3;
  at.s.guard.failovers_left = 0;
  CHECK(at.now().what == prospect::will_act);
  at.s.guard.budget = true;
  CHECK(at.now().what == prospect::held);
  CHECK(contains(at.now().text, "the budget of failovers and reinstalls"));
  at.x.standing.needed = repair_type::migrate;
  CHECK(at.now().what == prospect::will_act);
}

TEST_CASE("an instance that nobody looked at is not called healthy") {
  instance_row x;
  x.name = "new";
  CHECK(forecast_for(x, small_cluster().status, {}).what == prospect::unknown);
}

TEST_CASE("what is permitted and due is told as the next step") {
  stage at;
  CHECK(at.now().what == prospect::will_act);
  CHECK(at.now().text == "primary node2 is offline; next: failover of web1");
  at.x.standing.waits_for = "a proof that node2 is off";
  CHECK(at.now().what == prospect::waits);
  CHECK(contains(at.now().text, "waits for: a proof that node2 is off"));
}

TEST_CASE("nothing is done that no tag permits, and the reason names the tag") {
  stage at;
  at.x.standing.allowed = {};
  at.x.standing.permitted_by = "no tag on instance, group or cluster";
  CHECK(at.now().what == prospect::not_permitted);
  CHECK(at.now().text
        == "nothing will be done because nothing permits failover: no tag on "
           "instance, group or cluster; primary node2 is offline");
  at.x.standing.allowed = {false, repair_type::migrate};
  at.x.standing.permitted_by = "tag m on group g1";
  CHECK(at.now().text
        == "nothing will be done because it takes failover, and no more than "
           "migrate is permitted: tag m on group g1; primary node2 is offline");
}

TEST_CASE("a level includes the weaker ones") {
  stage at;
  at.x.standing.allowed = {false, repair_type::reinstall};
  CHECK(at.now().what == prospect::will_act);
  at.x.standing.needed = repair_type::reinstall;
  at.x.standing.allowed = {false, repair_type::failover};
  CHECK(at.now().what == prospect::not_permitted);
}

TEST_CASE("a suspension is told with the tag and its end") {
  stage at;
  at.x.standing.allowed = {true, {}};
  at.x.standing.permitted_by = "tag s on instance web1";
  at.x.standing.waits_for = "the end of the suspension at noon";
  CHECK(at.now().what == prospect::suspended);
  CHECK(at.now().text
        == "nothing will be done because it is suspended: tag s on instance "
           "web1; waits for: the end of the suspension at noon");
}

TEST_CASE("what no repair helps is told so") {
  stage at;
  at.x.standing.needed.reset();
  CHECK(at.now().what == prospect::no_repair);
  CHECK(contains(at.now().text, "no repair helps: primary node2 is offline"));
}

TEST_CASE("a failed repair waits for a person") {
  stage at;
  at.x.standing.phase = repair_phase::failed;
  at.x.standing.why = "job 7 failed";
  at.x.standing.waits_for = "a person to remove tag r";
  CHECK(at.now().what == prospect::failed);
  CHECK(at.now().text
        == "nothing will be done because a repair of it failed: job 7 failed; "
           "waits for: a person to remove tag r");
}

TEST_CASE("a repair under way is told with its id and all of its jobs") {
  stage at;
  at.x.standing.phase = repair_phase::pending;
  at.x.standing.incident = "0f3a";
  at.x.standing.jobs = {12, 14};
  at.x.standing.waits_for = "job 14: failover of web1";
  CHECK(at.now().what == prospect::under_way);
  CHECK(contains(at.now().text, "repair 0f3a is under way with job 12, 14"));
  CHECK(contains(at.now().text, "waits for: job 14: failover of web1"));
  CHECK_FALSE(contains(at.now().text, "no new step"));
  at.x.standing.allowed = {true, {}};
  CHECK(contains(at.now().text, "no new step because it is suspended"));
}

TEST_CASE("off and observing say what would be done") {
  stage at;
  at.s.autorepair_mode = repair_mode::off;
  CHECK(at.now().what == prospect::would_act);
  CHECK(contains(at.now().text, "auto-repair is off here"));
  CHECK(contains(at.now().text, "it would: failover of web1"));
  at.s.autorepair_mode = repair_mode::observe;
  CHECK(at.now().what == prospect::would_act);
  CHECK(contains(at.now().text, "only observes"));
}

TEST_CASE("pause and storm hold what is destructive and nothing else") {
  stage at;
  at.s.guard.paused = true;
  at.s.guard.paused_by = "ann";
  CHECK(at.now().what == prospect::held);
  CHECK(contains(at.now().text, "because it is paused by ann"));
  at.x.standing.needed = repair_type::fix_storage;
  CHECK(at.now().what == prospect::will_act);
  at.s.guard = {};
  at.s.guard.storm = true;
  at.s.guard.storm_text = "3 of 5 nodes";
  CHECK(at.now().what == prospect::will_act);
  at.x.standing.needed = repair_type::failover;
  CHECK(at.now().what == prospect::held);
  CHECK(contains(at.now().text, "because of a storm: 3 of 5 nodes"));
}

TEST_CASE("without the right to act everything is held") {
  stage at;
  at.x.standing.needed = repair_type::fix_storage;
  at.s.right_to_act.until = at.s.now;
  CHECK(at.now().what == prospect::held);
  CHECK(contains(at.now().text, "no right to act: node1 is master"));
}

} // namespace orderly::foresight_forecast_test
