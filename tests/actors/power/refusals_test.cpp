// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is our own doing is not held against a controller, and whoever is
// refused for a person's sake is told so.

#include "tests/actors/power/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::power_refusals_test {

using namespace orderly::oob_rig;

namespace {

/// One operation at a time, two may wait.
settings narrow() {
  settings rules;
  rules.power.concurrency = 1;
  rules.power.queued_max = 2;
  return rules;
}

/// Helpers are asked and never come back.
void hang(rig& b) {
  b.power->calls.answer
    = [](const power_request&) { return reply<power_answer>{}; };
}

} // namespace

TEST_CASE("what was refused before a helper was asked counts as not tried") {
  rig b;
  auto x = order_of("node1", power_verb::status);
  x.programs.clear();
  auto no_helper = b.give(x);
  auto no_intent = order_of("node1", power_verb::off);
  no_intent.intent.clear();
  auto refused = b.give(no_intent);
  REQUIRE(no_helper);
  REQUIRE(refused);
  CHECK_FALSE(no_helper->tried);
  CHECK_FALSE(refused->tried);
  CHECK_FALSE(refused->by_wish);
}

TEST_CASE("an order that finds too many waiting was not tried") {
  rig b{narrow()};
  hang(b);
  for (auto node : {"node1", "node2", "node3"})
    b.order(node, power_verb::status);
  auto x = b.order("node4", power_verb::status);
  b.on.settle();
  REQUIRE(x);
  CHECK(x->evidence == "refused: too many power operations wait");
  CHECK_FALSE(x->tried);
}

TEST_CASE("an act finds room beside readings, and without room was no try") {
  rig b{narrow()};
  hang(b);
  for (auto node : {"node1", "node2", "node3"})
    b.order(node, power_verb::status);
  auto off = [&](const char* node) {
    auto x = order_of(node, power_verb::off);
    x.intent = std::string{node} + "/1-off";
    return b.give(x);
  };
  auto first = off("node4");
  auto second = off("node5");
  auto third = off("node6");
  b.on.settle();
  CHECK_FALSE(first);
  CHECK_FALSE(second);
  REQUIRE(third);
  CHECK(third->evidence == "refused: too many power operations wait");
  CHECK(third->held_back);
  CHECK_FALSE(third->commanded);
}

TEST_CASE("an order that waited for too long was not tried") {
  settings rules = narrow();
  rig b{rules};
  hang(b);
  auto slow = order_of("node1", power_verb::status);
  slow.time_limit = hours{3};
  b.give(slow);
  auto x = b.order("node2", power_verb::status);
  b.on.run_for(hours{4});
  REQUIRE(x);
  CHECK(x->evidence == "refused: too long ago that it was asked for");
  CHECK_FALSE(x->tried);
}

TEST_CASE("a command that we did not send was not tried") {
  rig b;
  b.on.tell(b.actor, lease{false, b.on.now(), "no right: master is node9"});
  auto theirs = b.give(order_by("ann", "node1", power_verb::off));
  auto ours = b.order("node2", power_verb::off);
  b.on.run_for(minutes{1});
  REQUIRE(theirs);
  REQUIRE(ours);
  CHECK_FALSE(theirs->tried);
  CHECK_FALSE(ours->tried);
}

TEST_CASE("an order whose second level we held back was tried") {
  rig b;
  b.always(power_state::on);
  b.give_right(b.on.rules().host_ha.fence_timeout);
  auto x = order_of("node1", power_verb::off);
  x.programs = {"/helper", "/second"};
  auto off = b.give(x);
  b.on.run_for(minutes{10});
  REQUIRE(off);
  CHECK(b.power->commands() == verbs{power_verb::off});
  CHECK_THAT(off->evidence, Catch::Contains("not commanded: "));
  CHECK(off->tried);
}

TEST_CASE("a reading that no helper came back from was not tried, a command "
          "was") {
  rig b;
  hang(b);
  auto status = b.order("node1", power_verb::status);
  auto off = b.order("node2", power_verb::off);
  b.on.run_for(hours{1});
  REQUIRE(status);
  REQUIRE(off);
  CHECK_FALSE(status->tried);
  CHECK(off->tried);
}

TEST_CASE("a controller that answers nothing of use was tried") {
  rig b;
  b.power->calls.answer
    = [](const power_request& q) { return says(failed(q, "bmc gone")); };
  auto status = b.order("node1", power_verb::status);
  b.on.run_for(minutes{1});
  REQUIRE(status);
  CHECK_FALSE(status->confirmed);
  CHECK(status->tried);
}

TEST_CASE("whoever is refused for a person's wish is told so, and the wish") {
  rig b;
  auto verb = GENERATE(power_verb::on, power_verb::off);
  auto ours = order_of("node1", power_verb::cycle);
  ours.since = b.on.now();
  b.on.run_for(seconds{1});
  auto when = b.on.now();
  auto theirs = b.give(order_by("ann", "node1", verb));
  b.on.run_for(minutes{1});
  REQUIRE(theirs);
  CHECK(theirs->tried);
  CHECK_FALSE(theirs->by_wish);
  auto x = b.give(ours);
  b.on.run_for(minutes{1});
  REQUIRE(x);
  auto wanted = verb == power_verb::on ? power_state::on : power_state::off;
  CHECK_FALSE(x->tried);
  CHECK(x->by_wish);
  CHECK(x->wish == power_wish{wanted, "ann", "maintenance", when, {}});
}

TEST_CASE("a refusal for another reason tells the wish as well") {
  rig b;
  b.give(order_by("ann", "node1", power_verb::off));
  b.on.run_for(minutes{1});
  auto order = order_of("node1", power_verb::status);
  order.programs.clear();
  auto x = b.give(order);
  REQUIRE(x);
  CHECK_FALSE(x->by_wish);
  CHECK(x->wish.wanted == power_state::off);
}

} // namespace orderly::power_refusals_test
