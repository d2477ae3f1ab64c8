// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What persons order of the power: it is done in any case, and automation
// does not undo it.

#include "tests/actors/power/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::power_wishes_test {

using namespace orderly::oob_rig;

namespace {

std::map<node_name, power_wish> wishes(rig& b) {
  auto x = b.on.ask<power_wishes>(b.actor, ask_wishes{});
  REQUIRE(x);
  return x->wishes;
}

power_report by_ann(rig& b, power_verb verb) {
  auto x = b.give(order_by("ann", "node1", verb));
  b.on.run_for(minutes{3});
  REQUIRE(x);
  return *x;
}

/// Automation, on account of a trouble that began now.
power_report by_us(rig& b, power_verb verb) {
  auto order = order_of("node1", verb);
  order.since = b.on.now();
  auto x = b.give(order);
  b.on.run_for(minutes{3});
  REQUIRE(x);
  return *x;
}

} // namespace

TEST_CASE("what a person orders is commanded whatever the status says") {
  rig b;
  b.machines.is_off["node1"] = true;
  CHECK(by_ann(b, power_verb::off).confirmed);
  CHECK(b.calls_of("/helper") == verbs{power_verb::off, power_verb::status});
  CHECK(by_ann(b, power_verb::on).confirmed);
  CHECK(by_ann(b, power_verb::on).confirmed);
  CHECK(b.power->commands()
        == verbs{power_verb::off, power_verb::on, power_verb::on});
}

TEST_CASE("what a person ordered is in the journal with name and reason") {
  rig b;
  by_ann(b, power_verb::off);
  REQUIRE(b.disk->count("power-off") == 1);
  CHECK(b.disk->entries.front().why
        == "power-off: maintenance, asked for by ann");
  CHECK(b.disk->entries.back().why
        == "power-off: power status off after the command, asked for by ann");
}

TEST_CASE("a person's order needs the right to act too") {
  rig b;
  b.on.tell(b.actor, lease{false, b.on.now(), "no right: master is node9"});
  auto off = by_ann(b, power_verb::off);
  CHECK_FALSE(off.confirmed);
  CHECK(off.evidence == "not commanded: no right: master is node9");
  CHECK(b.power->commands().empty());
  CHECK(wishes(b).empty());
}

TEST_CASE("a person's command that failed ends at once and says why") {
  rig b;
  b.power->calls.answer = [](const power_request& q) {
    return says(q.verb == power_verb::status ? is(q, power_state::on)
                                             : failed(q, "bmc gone"),
                millis{100});
  };
  auto off = b.give(order_by("ann", "node1", power_verb::off));
  b.on.run_for(seconds{1});
  REQUIRE(off);
  CHECK_FALSE(off->confirmed);
  CHECK(off->state == power_state::on);
  CHECK(off->complaint == "bmc gone");
  CHECK(off->evidence == "power status on; the command said: bmc gone");
}

TEST_CASE("a person's command that failed has failed even if the node is as "
          "it should be") {
  rig b;
  auto verb = GENERATE(power_verb::off, power_verb::on);
  auto target = verb == power_verb::off ? power_state::off : power_state::on;
  b.power->calls.answer = [=](const power_request& q) {
    return says(q.verb == power_verb::status ? is(q, target)
                                             : failed(q, "it is so already"),
                millis{100});
  };
  auto x = by_ann(b, verb);
  CHECK_FALSE(x.confirmed);
  CHECK(x.state == target);
  CHECK(x.complaint == "it is so already");
}

TEST_CASE("a person's cycle of a node that is off leaves it off and counts") {
  rig b;
  b.power->calls.answer
    = [](const power_request& q) { return says(is(q, power_state::off)); };
  auto cycle = by_ann(b, power_verb::cycle);
  CHECK(cycle.confirmed);
  CHECK(cycle.state == power_state::off);
  CHECK(b.power->commands() == verbs{power_verb::cycle});
}

TEST_CASE("a person's cycle of a node that was on counts once it is on again") {
  rig b;
  auto reads = 0;
  b.power->calls.answer = [&](const power_request& q) {
    auto resetting = q.verb == power_verb::status && ++reads == 2;
    return says(is(q, resetting ? power_state::off : power_state::on));
  };
  auto cycle = by_ann(b, power_verb::cycle);
  CHECK(cycle.confirmed);
  CHECK(cycle.state == power_state::on);
  CHECK(reads == 3);
}

TEST_CASE("a person's cycle that ends with the node off is not confirmed") {
  rig b;
  auto reads = 0;
  b.power->calls.answer = [&](const power_request& q) {
    auto first = q.verb == power_verb::status && ++reads == 1;
    return says(is(q, first ? power_state::on : power_state::off));
  };
  auto cycle = by_ann(b, power_verb::cycle);
  CHECK_FALSE(cycle.confirmed);
  CHECK(cycle.state == power_state::off);
}

TEST_CASE("a person's on and off are wishes, with who, why and when") {
  rig b;
  CHECK(wishes(b).empty());
  by_ann(b, power_verb::cycle);
  CHECK(wishes(b).empty());
  auto when = b.on.now();
  by_ann(b, power_verb::off);
  CHECK(wishes(b)
        == std::map<node_name, power_wish>{
          {"node1", {power_state::off, "ann", "maintenance", when, {}}}});
  by_ann(b, power_verb::cycle);
  CHECK(wishes(b)["node1"].wanted == power_state::off);
  by_ann(b, power_verb::on);
  CHECK(wishes(b)["node1"].wanted == power_state::on);
  by_us(b, power_verb::off);
  CHECK(wishes(b)["node1"].wanted == power_state::on);
}

TEST_CASE("a wish is durable before its command leaves") {
  rig b;
  auto commands = 0;
  b.power->calls.answer = [&](const power_request& q) {
    if (!is_reading(q.verb)) {
      ++commands;
      CHECK(b.disk->states["wish:node1"].text("wanted") == "off");
    }
    return says(b.machines(q));
  };
  by_ann(b, power_verb::off);
  CHECK(commands == 1);
}

TEST_CASE("wishes outlive the daemon and are known before any order is "
          "worked") {
  rig b;
  by_ann(b, power_verb::off);
  auto before = wishes(b);
  b.crash();
  b.disk->reads.answer
    = [&](const journal_read&) { return says(b.disk->contents(), seconds{5}); };
  b.power->calls.asked.clear();
  b.start();
  auto asked = b.on.ask<power_wishes>(b.actor, ask_wishes{});
  auto on = b.order("node1", power_verb::on);
  b.on.run_for(seconds{4});
  CHECK_FALSE(asked);
  CHECK_FALSE(on);
  b.on.run_for(seconds{5});
  REQUIRE(asked);
  CHECK(asked->wishes == before);
  REQUIRE(on);
  CHECK_FALSE(on->confirmed);
  CHECK(b.power->calls.asked.empty());
}

TEST_CASE("automation never switches on what a person switched off") {
  rig b;
  by_ann(b, power_verb::off);
  b.power->calls.asked.clear();
  auto verb = GENERATE(power_verb::on, power_verb::cycle);
  auto x = by_us(b, verb);
  CHECK_FALSE(x.confirmed);
  CHECK(x.evidence
        == "refused: ann wants node1 off since 2026-01-01 00:00:00 UTC "
           "(maintenance); only a person may change that, with `orderly power "
           "on node1`");
  CHECK(b.power->calls.asked.empty());
}

TEST_CASE("automation may prove off what a person switched off") {
  rig b;
  by_ann(b, power_verb::off);
  CHECK(by_us(b, power_verb::off).confirmed);
}

TEST_CASE("automation does not act on a trouble that is older than a person's "
          "on") {
  rig b;
  auto old = order_of("node1", GENERATE(power_verb::off, power_verb::cycle));
  old.since = b.on.now();
  b.on.run_for(seconds{1});
  by_ann(b, power_verb::on);
  auto x = b.give(old);
  b.on.run_for(minutes{1});
  REQUIRE(x);
  CHECK_FALSE(x->confirmed);
  CHECK_THAT(x->evidence, Catch::Contains("ann wants node1 on since"));
  CHECK_THAT(x->evidence, Catch::Contains("younger than the trouble"));
  CHECK(b.power->commands() == verbs{power_verb::on});
}

TEST_CASE("automation acts on a trouble that began after a person's on") {
  rig b;
  by_ann(b, power_verb::on);
  CHECK(by_us(b, power_verb::off).confirmed);
}

TEST_CASE("a person's order goes before ours that waits, which then gives "
          "way") {
  settings rules;
  rules.power.concurrency = 1;
  rig b{rules};
  b.order("node2", power_verb::status);
  auto ours = b.order("node1", power_verb::cycle);
  auto theirs = b.give(order_by("ann", "node1", power_verb::off));
  b.on.run_for(minutes{1});
  REQUIRE(ours);
  REQUIRE(theirs);
  CHECK(theirs->confirmed);
  CHECK_FALSE(ours->confirmed);
  CHECK_THAT(ours->evidence,
             Catch::StartsWith("it was decided before ann switched the node"));
  CHECK(ours->held_back);
  CHECK(b.power->commands() == verbs{power_verb::off});
}

TEST_CASE("ours that is under way commands nothing more once a person's order "
          "waits") {
  rig b; // each call takes 100 ms
  auto ours = b.order("node1", power_verb::cycle);
  auto theirs = b.give(order_by("ann", "node1", power_verb::off));
  b.on.run_for(minutes{1});
  REQUIRE(ours);
  REQUIRE(theirs);
  CHECK_FALSE(ours->confirmed);
  CHECK(ours->evidence
        == "not commanded: it gives way to a person's order for this node, "
           "which waits");
  CHECK(theirs->confirmed);
  CHECK(b.power->commands() == verbs{power_verb::off});
  CHECK(b.disk->count("power-cycle") == 0);
}

TEST_CASE("everybody may read a node whatever persons want of it") {
  rig b;
  by_ann(b, power_verb::off);
  auto x = by_us(b, power_verb::status);
  CHECK(x.confirmed);
  CHECK(x.state == power_state::off);
}

TEST_CASE("a new wish is told when it is on disk and nothing is switched yet") {
  rig b;
  auto heard = std::make_shared<std::vector<power_wishes>>();
  auto client = b.on.enter(
    [](wish_client::pointer, std::shared_ptr<std::vector<power_wishes>> to)
      -> wish_client::behavior_type {
      return {[to](const power_wishes& x) { to->push_back(x); }};
    },
    heard);
  b.on.tell(b.actor, client);
  b.power->calls.answer
    = [](const power_request&) { return reply<power_answer>{}; }; // hangs
  b.give(order_by("ann", "node1", power_verb::on));
  b.on.run_for(millis{1});
  REQUIRE(heard->size() == 1);
  CHECK(heard->front().wishes.at("node1").wanted == power_state::on);
  CHECK(b.disk->count("power-wish") == 1);
}

} // namespace orderly::power_wishes_test
