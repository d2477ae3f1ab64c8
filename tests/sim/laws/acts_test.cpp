// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The laws about the moment in which an act leaves: S31 S32 S34 S35.

#include "tests/sim/laws/hand_played.hpp"

namespace orderly::laws_acts_test {

using namespace orderly::sim;

namespace {

/// node5 is cut off, and its treatment has begun.
struct hunted_five : hand_played {
  hunted_five() {
    lose_sight("node5");
    phases("node5", {"suspect", "checking"});
    REQUIRE(broken() == names{});
  }

  void heal() {
    fault("network node5 heal");
    look();
  }
};

/// node5 is fenced, its instances wait for their failovers.
struct fenced_five : hand_played {
  fenced_five() {
    fault("power node5 off");
    wait(seconds{40});
    fence("node5");
    lab.cluster.set_offline("node5", true);
    REQUIRE(broken() == names{});
  }
};

void pause(hand_played& x, bool on) {
  x.write(entry_kind::decision, "scheduler", on ? "pause" : "resume");
  x.look();
}

errand_request switching(power_verb verb, const node_name& node) {
  power_errand what;
  what.verb = verb;
  what.nodes = {node};
  return {what, {}, {}, false, {}};
}

} // namespace

TEST_CASE("S31: a node that answers is neither fenced nor reset") {
  hunted_five x;
  auto verb = GENERATE(power_verb::off, power_verb::cycle);
  x.phase("node5", verb == power_verb::off ? "fencing" : "recovering");
  auto expected = names{"S31"};
  SECTION("it is still cut off") {
    expected = {};
  }
  SECTION("it answers since a moment ago, after the last look began") {
    x.heal();
    x.wait(seconds{12});
    expected = {};
  }
  SECTION("it answers again") {
    x.heal();
    x.wait(seconds{20});
  }
  SECTION("it answers again, and nobody runs the daemon") {
    x.fault("noded node5 down");
    x.heal();
    x.wait(seconds{20});
    expected = {};
  }
  x.command("node5", verb);
  CHECK(x.broken() == expected);
}

TEST_CASE("S31: what persons do to a node that answers is their own affair") {
  hand_played x;
  x.wait(minutes{1});
  x.take(switching(power_verb::cycle, "node5"));
  x.command("node5", power_verb::cycle);
  CHECK(x.broken() == names{});
}

TEST_CASE("S31: no instance is started elsewhere whose home answers") {
  fenced_five x;
  SECTION("the home is off") {
    x.order(x.failover("web5"));
    CHECK(x.broken() == names{});
  }
  SECTION("it came back and runs it") {
    x.fault("node node5 returned");
    x.wait(minutes{2});
    x.fault("instance web5 start");
    x.order(x.failover("web5"));
    CHECK(x.broken() == names{"S1", "S2", "S31"});
  }
}

TEST_CASE("S31: no disks are made anew while a copy answers") {
  fenced_five x;
  // Its mirror is on node5.
  REQUIRE(x.lab.cluster.instance("web4")->secondaries.at(0) == "node5");
  auto op = x.on_instance(op_kind::recreate_disks, "web4");
  op.nodes = {"node2", "node3"};
  x.fault("tag instance:web4 add ganeti:watcher:autorepair:reinstall");
  x.wait(minutes{5});
  SECTION("its home lives, though it is marked offline") {
    x.lab.cluster.set_offline("node4", true);
    x.wait(minutes{5});
    x.order(op);
    CHECK(x.broken() == names{"S25", "S31"});
  }
  SECTION("its home is gone too") {
    x.fault("power node4 off");
    x.wait(minutes{1});
    x.fence("node4");
    x.lab.cluster.set_offline("node4", true);
    x.wait(minutes{5});
    x.order(op);
    CHECK(x.broken() == names{});
  }
}

TEST_CASE("S32: nothing that destroys leaves while a person has paused us") {
  hunted_five x;
  x.phase("node5", "fencing");
  auto expected = names{"S32"};
  SECTION("paused") {
    pause(x, true);
    x.wait(seconds{2});
  }
  SECTION("paused in the same moment") {
    pause(x, true);
    x.wait(millis{500});
    expected = {};
  }
  SECTION("sent before") {
    x.command("node5", power_verb::off);
    x.wait(seconds{2});
    pause(x, true);
    CHECK(x.broken() == names{});
    return;
  }
  SECTION("it may go on") {
    pause(x, true);
    x.wait(minutes{2});
    pause(x, false);
    expected = {};
  }
  x.command("node5", power_verb::off);
  CHECK(x.broken() == expected);
}

TEST_CASE("S32: a pause holds failovers, not what does no harm, nor persons") {
  fenced_five x;
  pause(x, true);
  x.wait(seconds{2});
  SECTION("a failover") {
    x.order(x.failover("web5"));
    CHECK(x.broken() == names{"S32"});
  }
  SECTION("a migration") {
    x.order(x.on_instance(op_kind::instance_migrate, "db2", "node3"));
    CHECK(x.broken() == names{});
  }
  SECTION("a person's own power-off") {
    x.take(switching(power_verb::off, "node4"));
    x.command("node4", power_verb::off);
    CHECK(x.broken() == names{});
  }
}

TEST_CASE("S34: an act leaves soon after it was decided") {
  hunted_five x;
  x.phase("node5", "fencing");
  auto decide
    = [&x] { x.write(entry_kind::intent, "node:node5", "power-off", "i1"); };
  decide();
  auto expected = names{};
  SECTION("at once") {
  }
  SECTION("much later") {
    x.wait(minutes{3});
    expected = {"S34"};
  }
  SECTION("much later, when it was decided again") {
    x.wait(minutes{3});
    decide();
  }
  SECTION("when its entry was on disk at last") {
    journal_entry e;
    e.at = x.t;
    e.kind = entry_kind::intent;
    e.object = "node:node5";
    e.code = "power-off";
    e.intent = "i2";
    e.why = "by hand";
    x.wait(minutes{3});
    x.lab.journal.commit({{e}});
    expected = {"S34"};
  }
  x.power("node5", power_verb::off);
  CHECK(x.broken() == expected);
}

TEST_CASE("S34: a failover leaves soon after it was decided, too") {
  fenced_five x;
  x.write(entry_kind::intent, "instance:web5", "job", "i1");
  SECTION("soon") {
    x.wait(minutes{1});
    x.send(x.failover("web5"), "i1");
    CHECK(x.broken() == names{});
  }
  SECTION("late") {
    x.wait(minutes{3});
    x.send(x.failover("web5"), "i1");
    CHECK(x.broken() == names{"S34"});
  }
}

TEST_CASE("S34: nobody is fenced for a trouble that has long been over") {
  hunted_five x;
  x.phase("node5", "fencing");
  auto expected = names{};
  x.heal();
  SECTION("a moment of life leaves it as it was") {
    x.wait(seconds{5});
  }
  SECTION("a few checks that it passed do not") {
    x.wait(minutes{3});
    expected = {"S34"};
  }
  x.lose_sight("node5");
  x.command("node5", power_verb::off);
  CHECK(x.broken() == expected);
}

TEST_CASE("S35: nothing is placed where a person's order takes the node away") {
  fenced_five x;
  auto verb = power_verb::off;
  auto taken = true;
  auto pass = seconds{20};
  auto over = false;
  auto expected = names{};
  SECTION("an accepted order to switch it off") {
    expected = {"S35"};
  }
  SECTION("a reset leaves it where it is") {
    verb = power_verb::cycle;
  }
  SECTION("nobody has heard of it yet") {
    pass = seconds{5};
  }
  SECTION("it came to an end") {
    over = true;
  }
  SECTION("it was refused") {
    taken = false;
  }
  auto order = x.take(switching(verb, "node2"));
  order.step = taken ? order_step::taken : order_step::refused;
  if (!taken)
    x.lab.note(order);
  x.look();
  if (over)
    x.end(order, true);
  x.wait(pass);
  x.order(x.on_instance(op_kind::instance_failover, "db5", "node2"));
  CHECK(x.broken() == expected);
}

TEST_CASE("S35: a place that Ganeti picks is judged when it is known") {
  fenced_five x;
  for (const auto* node : {"node1", "node2", "node3", "node4"})
    x.take(switching(power_verb::off, node));
  x.wait(seconds{20});
  x.order(x.failover("db5"));
  CHECK(x.broken() == names{});
  x.wait(minutes{1});
  CHECK(x.broken() == names{"S35"});
}

} // namespace orderly::laws_acts_test
