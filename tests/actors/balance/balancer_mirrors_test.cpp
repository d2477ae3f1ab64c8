// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How the balancer has mirrors asked, and what it makes of the answers.

#include "actors/shell/patience.hpp"
#include "tests/actors/balance/balancer_rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::balance_balancer_mirrors_test {

namespace {

planned_move swap_of(const char* name) {
  auto left = std::string{name} == "c";
  return balancer_rig::swap(name, left ? "n3" : "n1", left ? "n4" : "n2");
}

mirror_answer fault_of(instant at) {
  mirror_standing x;
  x.at = at;
  x.seen = 1;
  x.fault = {disk_fault{"disk/0", false, "n2"}};
  return {x, {}};
}

bool held(const balancer_rig& b, const std::string& name) {
  return std::none_of(
    b.jobs->orders.begin(), b.jobs->orders.end(),
    [&](const job_order& x) { return x.owner == "balance:" + name; });
}

} // namespace

TEST_CASE("the mirror of an instance is asked right before its move leaves") {
  balancer_rig b;
  b.plan.moves = {swap_of("a")};
  b.run(minutes{6});
  REQUIRE(b.copies->asked.size() == 1);
  CHECK(b.copies->asked[0].instance == "a");
  CHECK_FALSE(held(b, "a"));
}

TEST_CASE("what is wrong with a mirror is told of the move that it held back") {
  balancer_rig b;
  b.plan.moves = {swap_of("a")};
  std::string why;
  SECTION("it is faulty") {
    b.copies->answer
      = [&](const mirror_question&) { return says(fault_of(b.on.now())); };
    why = "its mirror is faulty: disk/0 is degraded on n2";
  }
  SECTION("it said nothing") {
    b.copies->answer = [](const mirror_question&) {
      return says(mirror_answer{std::nullopt, "its nodes were silent"});
    };
    why = "it is not known how its mirror is: its nodes were silent";
  }
  b.run(minutes{5} + seconds{30});
  CHECK(held(b, "a"));
  CHECK(b.sheet().fixed.at("a").starts_with(why + "; it waits until "));
  CHECK(b.seen->guard.permits_out == 0);
}

TEST_CASE("whoever tells nothing of a mirror holds that move and no other") {
  balancer_rig b;
  b.plan.moves = {swap_of("a"), swap_of("c")};
  auto well = b.copies->answer;
  b.copies->answer = [well](const mirror_question& what) {
    return what.instance == "a" ? reply<mirror_answer>{} : well(what);
  };
  b.run(minutes{6});
  CHECK(held(b, "a"));
  CHECK_FALSE(held(b, "c"));
  CHECK(b.sheet().open.size() == 2);
  b.run(patience::look);
  CHECK(held(b, "a"));
  CHECK(b.sheet().fixed.at("a").starts_with(
    "it was not told in time how its mirror is; it waits until "));
}

TEST_CASE("a move does not leave when its mirror was asked too long ago") {
  balancer_rig b;
  b.plan.moves = {swap_of("a")};
  auto write = b.disk->writes.answer;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    auto answer = write(batch);
    for (const auto& x : batch.entries)
      if (x.code == "move")
        answer.after = mirror_good + seconds{1};
    return answer;
  };
  b.run(minutes{6});
  CHECK(held(b, "a"));
  CHECK(b.told("is not moved: its mirror was asked too long ago"));
}

TEST_CASE("a move that waits in the submitter does not leave after that "
          "either") {
  balancer_rig b;
  b.plan.moves = {swap_of("a")};
  b.run(minutes{5});
  REQUIRE_FALSE(held(b, "a"));
  auto intent = b.jobs->orders[0].intent;
  auto soon = b.on.ask<consent>(b.actor, ask_consent{intent});
  REQUIRE(soon);
  CHECK(soon->go);
  b.run(mirror_good + seconds{1});
  auto late = b.on.ask<consent>(b.actor, ask_consent{intent});
  REQUIRE(late);
  CHECK_FALSE(late->go);
  CHECK(late->why == "its mirror was asked too long ago");
}

TEST_CASE("where mirrors are not asked those that have one are left out") {
  balancer_rig b;
  auto rules = balancer_rig::rules(true);
  rules.autorepair.mirror_interval = millis{0};
  b.on.change(rules);
  b.run(minutes{6});
  REQUIRE(b.planner->plans.asked.size() == 1);
  CHECK(b.planner->plans.asked[0].fixed
        == std::set<instance_name>{"a", "b", "c"});
}

} // namespace orderly::balance_balancer_mirrors_test
