// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/sim/laws/hand_played.hpp"

namespace orderly::laws_test {

using namespace orderly::sim;

TEST_CASE("a lawful fence with its failovers breaks nothing") {
  hand_played x;
  x.wait(minutes{1});
  x.fault("power node5 off");
  x.wait(seconds{40});
  x.fence("node5");
  CHECK(x.broken() == names{});
  x.lab.cluster.set_offline("node5", true);
  x.order(x.failover("web5"), "r1");
  x.order(x.failover("db5"), "r2");
  CHECK(x.broken() == names{});
  x.wait(minutes{2});
  CHECK(x.broken() == names{});
  CHECK(x.lab.truth.homes("web5").size() == 1);
  CHECK(x.lab.truth.homes("db5").size() == 1);
  CHECK(x.judge.excused() == 0);
}

TEST_CASE("S1: an instance on two nodes is told once") {
  hand_played x;
  CHECK(x.broken() == names{});
  x.lab.truth.start("web5", "node2");
  CHECK(x.broken() == names{"S1"});
  CHECK(x.broken() == names{});
}

TEST_CASE("S1: a boot excuses what had begun before it") {
  hand_played x;
  x.fault("autostart node5 on");
  x.fence("node5");
  x.lab.cluster.set_offline("node5", true);
  x.order(x.failover("db5"));
  x.wait(seconds{2});
  x.fault("power node5 on");
  x.wait(minutes{3});
  CHECK(x.lab.truth.homes("db5").size() == 2);
  CHECK(x.broken().count("S1") == 0);
}

TEST_CASE("S1: what begins minutes after a boot is not excused by it") {
  hand_played x;
  x.fault("autostart node5 on");
  x.fence("node5");
  x.lab.cluster.set_offline("node5", true);
  x.lab.cluster.habits.running_max = 0;
  x.order(x.failover("db5"));
  x.fault("power node5 on");
  x.wait(minutes{3});
  x.wait(minutes{3}); // it is alive, and nothing was called back
  x.broken();
  x.lab.cluster.habits.running_max = 20;
  x.fault("migrate web1 node2"); // the queue goes on
  x.wait(minutes{3});
  CHECK(x.lab.truth.homes("db5").size() == 2);
  CHECK(x.broken() == names{"S1"});
}

TEST_CASE("S1: no failover is sent while the old home runs the instance") {
  hand_played x;
  x.take({confirm_errand{"node5"}, {}, "it is dark", false, {}});
  x.write(entry_kind::outcome, "node:node5", "proof");
  x.order(x.failover("web5"));
  CHECK(x.broken() == names{"S1"});
}

TEST_CASE("S1: a failover of a stopped instance is nobody's harm") {
  hand_played x;
  x.take({confirm_errand{"node5"}, {}, "it is dark", false, {}});
  x.write(entry_kind::outcome, "node:node5", "proof");
  x.fault("instance web5 stop");
  x.order(x.failover("web5"));
  CHECK(x.broken() == names{});
}

TEST_CASE("S2: a proof about another node is none") {
  hand_played x;
  x.fault("power node5 off");
  x.write(entry_kind::outcome, "node:node4", "proof");
  x.order(x.failover("web5"));
  CHECK(x.broken() == names{"S2"});
}

TEST_CASE("S3: fenced needs a status that was read off") {
  hand_played x;
  x.fault("power node5 off");
  x.phases("node5", {"suspect", "fencing", "fenced"});
  CHECK(x.broken() == names{"S3"});
}

TEST_CASE("S3: a status from before the last command does not count") {
  hand_played x;
  x.fault("power node5 off");
  x.phases("node5", {"suspect", "fencing"});
  x.power("node5", power_verb::status);
  x.wait(seconds{1});
  x.write(entry_kind::intent, "node:node5", "power-off", "i1");
  x.power("node5", power_verb::off);
  x.phase("node5", "fenced");
  CHECK(x.broken() == names{"S3"});
}

TEST_CASE("S3: a node that has power again is not fenced") {
  hand_played x;
  x.fault("power node5 off");
  x.phases("node5", {"suspect", "fencing"});
  x.power("node5", power_verb::status);
  x.fault("power node5 on");
  x.wait(minutes{1});
  x.phase("node5", "fenced");
  CHECK(x.broken() == names{"S3"});
}

TEST_CASE("S3: believing a controller that lies is excused and counted") {
  hand_played x;
  x.fault("bmc node5 lies-off");
  x.lose_sight("node5");
  x.phases("node5", {"suspect", "fencing"});
  x.power("node5", power_verb::status);
  x.wait(minutes{1});
  x.phase("node5", "fenced");
  CHECK(x.broken() == names{});
  CHECK(x.judge.excused() == 1);
}

TEST_CASE("S5: nothing is switched off in a storm") {
  hand_played x;
  for (const auto* node : {"node3", "node4", "node5"})
    x.fault("network " + std::string{node} + " cut");
  x.wait(minutes{1});
  x.fence("node5");
  CHECK(x.broken() == names{"S5"});
}

TEST_CASE("S5: no fence begins in a storm, even where nothing is switched") {
  hand_played x;
  for (const auto* node : {"node3", "node4", "node5"})
    x.fault("power " + std::string{node} + " off");
  x.wait(minutes{1});
  x.phases("node5", {"suspect", "fencing"});
  CHECK(x.broken() == names{"S5"});
}

TEST_CASE("S5: two of five in trouble are no storm, nor are offline nodes") {
  hand_played x;
  x.fault("network node4 cut");
  x.fault("network node5 cut");
  x.fault("network node3 cut");
  x.lab.cluster.set_offline("node3", true);
  x.wait(minutes{1});
  x.fence("node5");
  CHECK(x.broken() == names{});
}

TEST_CASE("S5: what nobody could treat counts as well") {
  hand_played x;
  for (const auto* node : {"node3", "node4", "node5"})
    x.fault("network " + std::string{node} + " cut");
  x.phase("node3", "ineligible");
  CHECK(x.broken() == names{});
  x.wait(minutes{1});
  x.fence("node5");
  CHECK(x.broken() == names{"S5"});
}

TEST_CASE("S5: a daemon that is down is a trouble, too") {
  hand_played x;
  x.fault("noded node3 down");
  x.fault("noded node4 down");
  x.lose_sight("node5");
  x.fence("node5");
  CHECK(x.broken() == names{"S5"});
}

TEST_CASE("S5: the share is one of the nodes that live") {
  hand_played x{"big-40n"};
  auto expected = names{};
  SECTION("four of forty") {
  }
  SECTION("four of ten, the others are out of service") {
    for (int i = 11; i <= 40; ++i)
      x.lab.cluster.set_offline("node" + std::to_string(i), true);
    expected = {"S5"};
  }
  for (const auto* node : {"node02", "node03", "node04"})
    x.fault("network " + std::string{node} + " cut");
  x.lose_sight("node05");
  x.fence("node05");
  CHECK(x.broken() == expected);
}

TEST_CASE("S5: trouble too young to be seen does not count") {
  hand_played x;
  x.fault("network node5 cut");
  x.wait(minutes{1});
  x.fault("network node3 cut");
  x.fault("network node4 cut");
  x.wait(seconds{5});
  x.fence("node5");
  CHECK(x.broken() == names{});
}

TEST_CASE("S5: a fence that began in peace is not tried again in a storm") {
  hand_played x;
  x.fault("network node5 cut");
  x.wait(minutes{1});
  x.phases("node5", {"suspect", "fencing"});
  CHECK(x.broken() == names{});
  x.fault("network node3 cut");
  x.fault("network node4 cut");
  x.wait(minutes{5});
  x.write(entry_kind::intent, "node:node5", "power-off", "again");
  x.power("node5", power_verb::off);
  CHECK(x.broken() == names{"S5"});
}

TEST_CASE("S6: the budget of fences holds for an hour, not for a daemon") {
  hand_played x{"big-40n"};
  for (int i = 0; i < 6; ++i) {
    x.lose_sight("node1" + std::to_string(i));
    x.fence("node1" + std::to_string(i));
    x.lab.cluster.set_offline("node1" + std::to_string(i), true);
    CHECK(x.broken() == names{});
    x.wait(minutes{4});
  }
  x.lose_sight("node20");
  x.fence("node20");
  CHECK(x.broken() == names{"S6"});
  x.wait(hours{1});
  x.lose_sight("node21");
  x.fence("node21");
  CHECK(x.broken() == names{});
}

TEST_CASE("S6: switching off what is off costs nothing") {
  hand_played x{"big-40n"};
  for (int i = 0; i < 9; ++i) {
    auto name = "node1" + std::to_string(i);
    x.fault("power " + name + " off");
    x.fence(name);
    x.lab.cluster.set_offline(name, true);
    CHECK(x.broken() == names{});
    x.wait(minutes{2});
  }
}

TEST_CASE("S6: the budget of failovers holds, too") {
  settings rules;
  rules.budget.failovers_per_hour_max = 1;
  hand_played x{"small-5n", rules};
  x.fault("power node5 off");
  x.fence("node5");
  x.order(x.failover("web5"), "r1");
  CHECK(x.broken() == names{});
  x.order(x.failover("db5"), "r2");
  CHECK(x.broken() == names{"S6"});
}

TEST_CASE("S8: a daemon that is not master any more does nothing") {
  hand_played x;
  x.fault("network node4 cut");
  x.lose_sight("node5");
  x.fault("master node2");
  x.wait(seconds{10});
  x.fence("node5"); // its lease still holds
  CHECK(x.broken() == names{});
  x.wait(minutes{1});
  x.fence("node4");
  CHECK(x.broken() == names{"S8"});
}

TEST_CASE("S8: nothing is switched off when it is our own link that is cut") {
  hand_played x;
  x.fault("uplink cut");
  x.wait(seconds{5});
  x.fence("node5"); // nobody could know yet
  CHECK(x.broken() == names{});
  x.wait(minutes{1});
  x.fence("node4");
  CHECK(x.broken() == names{"S8"});
}

TEST_CASE("S8: our own node is never switched off") {
  hand_played x;
  x.fault("noded node1 down");
  x.wait(minutes{1});
  x.fence("node1");
  CHECK(x.broken() == names{"S8"});
}

TEST_CASE("S17: a power command needs a durable intent of its own kind") {
  hand_played x;
  x.fault("network node4 cut");
  x.lose_sight("node5");
  x.power("node5", power_verb::off);
  CHECK(x.broken() == names{"S17"});
  x.write(entry_kind::intent, "node:node4", "power-off", "i1");
  x.power("node4", power_verb::cycle);
  CHECK(x.broken() == names{"S17"});
}

TEST_CASE("S17: an intent whose outcome is known is used up") {
  hand_played x;
  x.lose_sight("node5");
  x.write(entry_kind::intent, "node:node5", "power-off", "i1");
  x.power("node5", power_verb::off);
  x.write(entry_kind::outcome, "node:node5", "power-off", "i1");
  CHECK(x.broken() == names{});
  x.power("node5", power_verb::off);
  CHECK(x.broken() == names{"S17"});
}

TEST_CASE("S20: phases follow the table") {
  hand_played x;
  x.phases("node5", {"available", "suspect", "checking", "suspect", "checking",
                     "recovering", "recovered", "suspect", "available",
                     "ineligible", "disabled", "available"});
  CHECK(x.broken() == names{});
  x.phases("node5", {"recovering"});
  CHECK(x.broken() == names{"S20"});
  x.phases("node4", {"suspect", "fencing", "available"});
  CHECK(x.broken() == names{"S20"});
}

TEST_CASE(
  "S20: a treatment begins anew once the node's daemons have answered") {
  hand_played x;
  auto expected = names{"S20"};
  auto phase = GENERATE(as<std::string>{}, "fencing", "recovering");
  x.lose_sight("node5");
  x.phases("node5", {"suspect", "checking", phase});
  x.wait(minutes{1});
  SECTION("never") {
    if (phase == "fencing")
      x.command("node5", power_verb::off);
  }
  SECTION("for a moment") {
    x.fault("network node5 heal");
    x.wait(seconds{1});
    x.lose_sight("node5");
    expected = {};
  }
  SECTION("they do now") {
    x.fault("network node5 heal");
    x.wait(minutes{1});
    expected = {};
  }
  CHECK(x.broken() == names{});
  x.phase("node5", "suspect");
  CHECK(x.broken() == expected);
}

TEST_CASE("S20: a fenced node is hunted again only if a person took it back") {
  hand_played x;
  x.lose_sight("node5");
  x.fence("node5");
  x.lab.cluster.set_offline("node5", true);
  CHECK(x.broken() == names{});
  SECTION("out of service") {
    x.phase("node5", "suspect");
    CHECK(x.broken() == names{"S20"});
  }
  SECTION("taken back") {
    x.lab.cluster.set_offline("node5", false);
    x.wait(minutes{1});
    x.phase("node5", "suspect");
    CHECK(x.broken() == names{});
  }
}

TEST_CASE("S20: lost journal entries leave a gap that is no breach") {
  hand_played x;
  x.phase("node5", "available");
  CHECK(x.broken() == names{});
  x.fault("journal fail");
  for (int i = 0; i < 10; ++i)
    x.write(entry_kind::note, "lab", "lost");
  x.fault("journal ok");
  x.phase("node5", "checking");
  CHECK(x.broken() == names{});
}

} // namespace orderly::laws_test
