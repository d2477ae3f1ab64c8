// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The power switch: nothing is switched without the right to act and a durable
// intent, and nothing counts as switched but what a status read says.

#include "actors/journal.hpp"
#include "actors/oob.hpp"
#include "tests/actors/fakes.hpp"
#include "tests/actors/stage.hpp"

#include <catch2/catch.hpp>

using namespace orderly;

namespace {

using verbs = std::vector<power_verb>;

/// Controllers that do what they are told.
struct chassis {
  std::map<node_name, bool> is_off;

  power_answer operator()(const power_request& q) {
    power_answer x;
    x.node = q.node;
    x.done = true;
    if (q.verb == power_verb::status)
      x.state = is_off[q.node] ? power_state::off : power_state::on;
    else
      is_off[q.node] = q.verb == power_verb::off;
    return x;
  }
};

struct bench {
  explicit bench(settings rules = {}) : on(std::move(rules)) {
    memory = on.enter(journal, on.ctx(), on.keep(spawn_fake(on.system(), disk)),
                      on.keep(spawn_fake(on.system(), seen)));
    actor = on.enter(oob, on.ctx(), on.keep(spawn_fake(on.system(), power)),
                     memory);
    power->calls.answer = [this](const power_request& q) {
      return says(machines(q), millis{100});
    };
    on.settle();
    give_right();
  }

  void give_right(millis length = hours{10}) {
    on.tell(actor, lease{true, on.now() + length, "right to act"});
  }

  pending<power_report> order(const node_name& node, power_verb verb,
                              bool insist = false) {
    power_order x;
    x.insist = insist;
    x.node = node;
    x.verb = verb;
    x.program = "/helper";
    x.incident = "n-1";
    x.intent = verb == power_verb::status ? "" : "i-" + node;
    x.why = "because";
    return on.ask<power_report>(actor, std::move(x));
  }

  /// Every status reading says `x`, every command is done.
  void always(power_state x) {
    power->calls.answer = [x](const power_request& q) {
      power_answer a{q.node, true, x, {}, {}};
      if (q.verb != power_verb::status)
        a.state = power_state::unknown;
      return says(std::move(a), millis{100});
    };
  }

  std::shared_ptr<paper> disk = std::make_shared<paper>();
  std::shared_ptr<view_fake> seen = std::make_shared<view_fake>();
  std::shared_ptr<power_fake> power = std::make_shared<power_fake>();
  chassis machines;
  stage on;
  journal_actor memory;
  oob_actor actor;
};

} // namespace

TEST_CASE("without the right to act no command leaves") {
  bench b;
  b.on.tell(b.actor, lease{false, b.on.now(), "no right: master is node9"});
  auto off = b.order("node1", power_verb::off);
  auto cycle = b.order("node2", power_verb::cycle);
  b.on.run_for(minutes{5});
  REQUIRE(off);
  REQUIRE(cycle);
  CHECK_FALSE(off->confirmed);
  CHECK(off->evidence == "not commanded: no right: master is node9");
  CHECK_FALSE(cycle->confirmed);
  CHECK(b.power->commands().empty());
}

TEST_CASE("a right that ended while the intent was written is no right") {
  bench b;
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
  bench b;
  b.on.tell(b.actor, lease{});
  auto status = b.order("node1", power_verb::status);
  b.on.run_for(seconds{1});
  REQUIRE(status);
  CHECK(status->confirmed);
  CHECK(status->state == power_state::on);
}

TEST_CASE("the intent is durable before the command reaches the port") {
  bench b;
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
  bench b;
  b.disk->writes.answer = [](const journal_batch&) {
    return says(journal_ack{false, "disk full"});
  };
  auto off = b.order("node1", power_verb::off);
  b.on.run_for(hours{1});
  CHECK_FALSE(off);
  CHECK(b.power->commands().empty());
}

TEST_CASE("a node that is off already is proved off and left alone") {
  bench b;
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
  bench b;
  b.machines.is_off["node1"] = true;
  auto off = b.order("node1", power_verb::off, true);
  b.on.run_for(seconds{5});
  REQUIRE(off);
  CHECK(off->confirmed);
  CHECK(off->evidence == "power status off after the command");
  CHECK(b.power->commands() == verbs{power_verb::off});
}

TEST_CASE("off is what a status says that was read after the command") {
  bench b;
  auto reads = 0;
  b.power->calls.answer = [&](const power_request& q) {
    power_answer x{q.node, true, power_state::unknown, {}, {}};
    if (q.verb == power_verb::status)
      x.state = ++reads < 4 ? power_state::on : power_state::off;
    return says(std::move(x), millis{100});
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
  bench b;
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
  bench b;
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
  bench b;
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
  bench b;
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
    auto is_status = q.verb == power_verb::status;
    return says(power_answer{
      q.node, is_status, power_state::on, is_status ? "" : "exit 1", {}});
  };
  x = b.order("node3", power_verb::cycle);
  b.on.run_for(seconds{1});
  REQUIRE(x);
  CHECK_FALSE(x->confirmed);
  CHECK(x->evidence == "power status on; the command said: exit 1");
}

TEST_CASE("a node has one operation at a time, in the order they came") {
  bench b; // each call takes 100 ms
  auto off = b.order("node1", power_verb::off);
  auto status = b.order("node1", power_verb::status);
  auto again = b.order("node1", power_verb::off);
  b.on.run_for(millis{50});
  CHECK(b.power->calls.asked.size() == 1);
  b.on.run_for(seconds{10});
  REQUIRE(off);
  REQUIRE(status);
  REQUIRE(again);
  CHECK(off->confirmed);
  CHECK(status->state == power_state::off);
  CHECK(again->evidence == "already off, confirmed by power status off");
  CHECK(off->at < status->at);
  CHECK(status->at < again->at);
  CHECK(b.power->commands() == verbs{power_verb::off});
}

TEST_CASE("no more helpers run at once than the rules allow") {
  settings rules;
  rules.power.parallel_max = 2;
  bench b{rules};
  std::vector<pending<power_report>> all;
  for (const auto* node : {"node1", "node2", "node3", "node4", "node5"})
    all.push_back(b.order(node, power_verb::status));
  CHECK(b.power->calls.asked.size() == 2);
  b.on.run_for(millis{150});
  CHECK(b.power->calls.asked.size() == 4);
  b.on.run_for(millis{150});
  CHECK(b.power->calls.asked.size() == 5);
  b.on.run_for(millis{150});
  for (const auto& x : all)
    CHECK(x);
}

TEST_CASE("two that waited for one node do not start together") {
  settings rules;
  rules.power.parallel_max = 2;
  bench b{rules};
  b.order("node1", power_verb::status);
  b.order("node3", power_verb::status);
  auto first = b.order("node2", power_verb::status);
  auto second = b.order("node2", power_verb::status);
  b.on.run_for(millis{150}); // both of the others are through
  CHECK(b.power->calls.asked.size() == 3);
  b.on.run_for(millis{200});
  REQUIRE(first);
  REQUIRE(second);
  CHECK(second->at - first->at == millis{100});
}

TEST_CASE("a hung helper of one node delays no other node") {
  bench b;
  b.power->calls.answer = [&](const power_request& q) {
    return q.node == "node1" ? reply<power_answer>{}
                             : says(b.machines(q), millis{100});
  };
  auto hung = b.order("node1", power_verb::off);
  auto off = b.order("node2", power_verb::off);
  b.on.run_for(seconds{1});
  REQUIRE(off);
  CHECK(off->confirmed);
  CHECK_FALSE(hung);
  // In the end it is told that nothing is known.
  b.on.run_for(minutes{10});
  REQUIRE(hung);
  CHECK_FALSE(hung->confirmed);
  CHECK(hung->state == power_state::unknown);
}

TEST_CASE("too many waiting operations are refused at once") {
  settings rules;
  rules.power.parallel_max = 1;
  rules.power.queued_max = 2;
  bench b{rules};
  auto running = b.order("node1", power_verb::status);
  auto first = b.order("node2", power_verb::status);
  auto second = b.order("node2", power_verb::status);
  auto third = b.order("node3", power_verb::status);
  REQUIRE(third);
  CHECK_FALSE(third->confirmed);
  CHECK(third->evidence == "refused: too many power operations wait");
  b.on.run_for(seconds{1});
  CHECK(running);
  CHECK(first);
  CHECK(second);
}

TEST_CASE("without a helper or an intent nothing is tried") {
  bench b;
  power_order x;
  x.node = "node1";
  x.verb = power_verb::off;
  x.intent = "i-1";
  auto no_helper = b.on.ask<power_report>(b.actor, x);
  x.program = "/helper";
  x.intent.clear();
  auto no_intent = b.on.ask<power_report>(b.actor, x);
  REQUIRE(no_helper);
  CHECK(no_helper->evidence == "no power control: the node has no OOB program");
  REQUIRE(no_intent);
  CHECK(no_intent->evidence == "refused: an act without an intent");
  b.on.run_for(minutes{5});
  CHECK(b.power->calls.asked.empty());
}
