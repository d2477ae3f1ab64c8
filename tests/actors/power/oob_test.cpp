// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The power switch: nothing is switched without the right to act and a durable
// intent, and nothing counts as switched but what a status read says.

#include "tests/actors/power/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::power_oob_test {

using namespace orderly::oob_rig;

TEST_CASE("without the right to act no command leaves") {
  rig b;
  b.on.tell(b.actor, lease{false, b.on.now(), "no right: master is node9"});
  auto off = b.order("node1", power_verb::off);
  auto cycle = b.order("node2", power_verb::cycle);
  b.on.run_for(minutes{5});
  REQUIRE(off);
  REQUIRE(cycle);
  CHECK_FALSE(off->confirmed);
  CHECK(off->evidence == "not commanded: no right: master is node9");
  CHECK(b.disk->entries.empty());
  CHECK_FALSE(cycle->confirmed);
  CHECK(b.power->commands().empty());
}

TEST_CASE("a right that ended while the intent was written is no right") {
  rig b;
  b.give_right(seconds{2});
  b.disk->writes.answer = [&](const journal_batch& batch) {
    b.disk->write(batch);
    return says(journal_ack{true, {}}, seconds{3});
  };
  auto off = b.order("node1", power_verb::off);
  b.on.run_for(minutes{5});
  REQUIRE(off);
  CHECK_FALSE(off->confirmed);
  CHECK(b.power->commands().empty());
}

TEST_CASE("a status is read without any right") {
  rig b;
  b.on.tell(b.actor, lease{});
  auto status = b.order("node1", power_verb::status);
  b.on.run_for(seconds{1});
  REQUIRE(status);
  CHECK(status->confirmed);
  CHECK(status->state == power_state::on);
}

TEST_CASE("the intent is durable before the command reaches the port") {
  rig b;
  std::vector<std::string> story;
  b.disk->on_entry = [&](const journal_entry& e) {
    story.push_back("durable " + e.code + " " + e.intent);
  };
  b.disk->writes.answer = [&](const journal_batch& batch) {
    auto durable = says(journal_ack{true, {}}, seconds{5});
    b.disk->write(batch);
    story.push_back("said so at " + std::to_string(to_unix(b.on.now()) + 5));
    return durable;
  };
  b.power->calls.answer = [&](const power_request& q) {
    if (q.verb != power_verb::status)
      story.push_back("called " + std::string{to_string(q.verb)} + " at "
                      + std::to_string(to_unix(b.on.now())));
    return says(b.machines(q));
  };
  auto off = b.order("node1", power_verb::off);
  b.on.run_for(millis{4999});
  CHECK(b.power->commands().empty());
  b.on.run_for(minutes{1});
  REQUIRE(off);
  CHECK(off->confirmed);
  auto then = std::to_string(to_unix(stage::start()) + 5);
  REQUIRE(story.size() >= 3);
  CHECK(story[0] == "durable power-off i-node1");
  CHECK(story[1] == "said so at " + then);
  CHECK(story[2] == "called power-off at " + then);
}

TEST_CASE("a command whose intent cannot be written is never sent") {
  rig b;
  b.disk->writes.answer = [](const journal_batch&) {
    return says(journal_ack{false, "disk full"});
  };
  auto off = b.order("node1", power_verb::off);
  b.on.run_for(hours{1});
  CHECK_FALSE(off);
  CHECK(b.power->commands().empty());
}

TEST_CASE("a node that is off already is proved off and left alone") {
  rig b;
  b.machines.is_off["node1"] = true;
  auto off = b.order("node1", power_verb::off);
  b.on.run_for(seconds{1});
  REQUIRE(off);
  CHECK(off->confirmed);
  CHECK(off->state == power_state::off);
  CHECK(off->evidence == "already off, confirmed by power status off");
  CHECK(b.power->commands().empty());
  CHECK(b.disk->entries.empty());
}

TEST_CASE("off in the middle of a reset is no proof: off is commanded too") {
  rig b;
  b.machines.is_off["node1"] = true;
  auto off = b.order("node1", power_verb::off, true);
  b.on.run_for(seconds{5});
  REQUIRE(off);
  CHECK(off->confirmed);
  CHECK(off->evidence == "power status off after the command");
  CHECK(b.power->commands() == verbs{power_verb::off});
}

TEST_CASE("off is what a status says that was read after the command") {
  rig b;
  auto reads = 0;
  b.power->calls.answer = [&](const power_request& q) {
    auto gone = q.verb == power_verb::status && ++reads >= 4;
    return says(is(q, gone ? power_state::off : power_state::on), millis{100});
  };
  auto off = b.order("node1", power_verb::off);
  // One reading before, the command, one after it, then every two seconds.
  b.on.run_for(millis{4500});
  CHECK(reads == 4);
  REQUIRE(off);
  CHECK(off->confirmed);
  CHECK(off->intent == "i-node1");
  CHECK(b.power->commands() == verbs{power_verb::off});
  CHECK(b.disk->count("power-confirmed") == 1);
}

TEST_CASE("a helper that says done is not believed while the status says on") {
  rig b;
  b.always(power_state::on);
  auto off = b.order("node1", power_verb::off);
  b.on.run_for(b.on.rules().host_ha.fence_timeout - seconds{1});
  CHECK_FALSE(off);
  b.on.run_for(seconds{5});
  REQUIRE(off);
  CHECK_FALSE(off->confirmed);
  CHECK(off->state == power_state::on);
  CHECK(off->evidence == "not confirmed in time: power status on");
  CHECK(b.power->commands() == verbs{power_verb::off}); // and not repeated
  CHECK(b.disk->count("power-unconfirmed") == 1);
  CHECK(b.disk->count("power-confirmed") == 0);
}

TEST_CASE("an unknown status is never off") {
  rig b;
  b.always(power_state::unknown);
  auto off = b.order("node1", power_verb::off);
  b.on.run_for(minutes{2});
  REQUIRE(off);
  CHECK_FALSE(off->confirmed);
  CHECK(off->state == power_state::unknown);
  auto status = b.order("node1", power_verb::status);
  b.on.run_for(seconds{1});
  REQUIRE(status);
  CHECK_FALSE(status->confirmed);
}

TEST_CASE(
  "a command that failed has worked all the same if the status is off") {
  rig b;
  b.power->calls.answer = [&](const power_request& q) {
    auto x = b.machines(q);
    if (q.verb == power_verb::off) {
      x.done = false;
      x.text = "exit 1";
    }
    return says(std::move(x));
  };
  auto off = b.order("node1", power_verb::off);
  b.on.run_for(seconds{10});
  REQUIRE(off);
  CHECK(off->confirmed);
}

TEST_CASE(
  "a reset needs a node that is on, a helper that agrees, and on again") {
  rig b;
  b.machines.is_off["node1"] = true;
  auto x = b.order("node1", power_verb::cycle);
  b.on.run_for(seconds{1});
  REQUIRE(x);
  CHECK_FALSE(x->confirmed);
  CHECK(x->evidence == "nothing to reset: power status off");
  CHECK(b.power->commands().empty());

  x = b.order("node2", power_verb::cycle);
  b.on.run_for(seconds{1});
  REQUIRE(x);
  CHECK(x->confirmed);
  CHECK(b.power->commands() == verbs{power_verb::cycle});

  b.power->calls.answer = [](const power_request& q) {
    return says(q.verb == power_verb::status ? is(q, power_state::on)
                                             : failed(q, "exit 1"));
  };
  x = b.order("node3", power_verb::cycle);
  b.on.run_for(seconds{1});
  REQUIRE(x);
  CHECK_FALSE(x->confirmed);
  CHECK(x->evidence == "power status on; the command said: exit 1");
  CHECK(x->complaint == "exit 1");
}

TEST_CASE("without a helper or an intent nothing is tried") {
  rig b;
  auto x = order_of("node1", power_verb::off);
  x.programs.clear();
  auto no_helper = b.on.ask<power_report>(b.actor, x);
  x.programs = {"/helper"};
  x.intent.clear();
  auto no_intent = b.on.ask<power_report>(b.actor, x);
  REQUIRE(no_helper);
  CHECK(no_helper->evidence == "no power control: the node has no OOB program");
  REQUIRE(no_intent);
  CHECK(no_intent->evidence == "refused: an act without an intent");
  b.on.run_for(minutes{5});
  CHECK(b.power->calls.asked.empty());
}

TEST_CASE("what is switched off although it read off is read once more after "
          "the last look") {
  for (auto comes_on : {false, true}) {
    rig b;
    b.machines.is_off["node1"] = true;
    auto asked_at = std::vector<std::uint32_t>{}; // looks before each reading
    b.power->calls.answer = [&](const power_request& q) {
      if (q.verb == power_verb::status)
        asked_at.push_back(b.said->asked);
      if (comes_on && b.said->asked > 0 && q.verb == power_verb::status)
        b.machines.is_off["node1"] = false; // while the daemons were asked
      return says(b.machines(q), millis{100});
    };
    auto off = b.order("node1", power_verb::off, true);
    b.on.run_for(seconds{2});
    REQUIRE(off);
    REQUIRE(asked_at.size() >= 2);
    CHECK(asked_at[0] == 0);
    CHECK(asked_at[1] == 1);
    CHECK(off->came_on == comes_on);
    CHECK(off->commanded == !comes_on);
    CHECK(off->held_back == comes_on);
    CHECK(off->confirmed == !comes_on);
    CHECK(read_in(*off) == (comes_on ? power_state::on : power_state::off));
    CHECK(b.machines.is_off["node1"] == !comes_on);
  }
}

} // namespace orderly::power_oob_test
