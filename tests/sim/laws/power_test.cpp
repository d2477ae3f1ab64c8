// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The laws about who may switch what: S3 S4 S18 S19 S26 L6.

#include "tests/sim/laws/hand_played.hpp"

namespace orderly::laws_power_test {

using namespace orderly::sim;

namespace {

errand_request power_of(power_verb verb, std::vector<node_name> nodes) {
  power_errand x;
  x.verb = verb;
  x.nodes = std::move(nodes);
  return {x, {}, {}, false, {}};
}

errand_request epo_of(std::vector<std::string> names, bool on = false,
                      bool groups = false) {
  epo_errand x;
  x.on = on;
  x.groups = groups;
  x.names = std::move(names);
  return {x, {}, {}, false, {}};
}

errand_request word_about(const node_name& node) {
  return {confirm_errand{node}, {}, "I pulled its plug", false, {}};
}

/// Its fence succeeded, on somebody's word.
void fenced_by_word(hand_played& x, const node_name& node,
                    const std::string& why) {
  journal_entry e;
  e.at = x.t;
  e.kind = entry_kind::decision;
  e.object = node_object(node);
  e.code = "fenced";
  e.why = why;
  x.lab.journal.commit({{e}});
}

/// What the liveness laws say at the end.
names at_the_end(hand_played& x) {
  CHECK(x.broken() == names{});
  names result;
  for (const auto& y : x.judge.check_liveness(x.lab, x.t))
    result.insert(y.name);
  return result;
}

settings two_levels() {
  settings rules;
  rules.power.levels["node5"] = {"/a", "/b"};
  return rules;
}

} // namespace

TEST_CASE("S3: a person's word is as good as a status, if it is named") {
  hand_played x;
  x.fault("power node5 off");
  x.phases("node5", {"suspect", "fencing"});
  x.wait(minutes{1});
  x.take(word_about("node5"));
  SECTION("named") {
    fenced_by_word(x, "node5", "fenced: ann says that it is off");
    CHECK(x.broken() == names{});
    CHECK(x.judge.excused() == 0);
  }
  SECTION("not named") {
    fenced_by_word(x, "node5", "fenced: somebody says that it is off");
    CHECK(x.broken() == names{"S3"});
  }
}

TEST_CASE("S3: a word about another node, an old or a refused one is none") {
  hand_played x;
  x.fault("power node5 off");
  SECTION("another node") {
    x.phases("node5", {"suspect", "fencing"});
    x.take(word_about("node4"));
  }
  SECTION("older than the trouble") {
    x.take(word_about("node5"));
    x.wait(minutes{6});
    x.phases("node5", {"suspect", "fencing"});
  }
  SECTION("refused") {
    x.phases("node5", {"suspect", "fencing"});
    auto order = x.take(word_about("node5"));
    order.step = order_step::refused;
    x.lab.note(order);
  }
  CHECK(x.broken() == names{});
  fenced_by_word(x, "node5", "fenced: ann says that it is off");
  CHECK(x.broken() == names{"S3"});
}

TEST_CASE("S1: a wrong word excuses the double start that follows") {
  hand_played x;
  x.lose_sight("node5");
  x.take(word_about("node5"));
  x.lab.truth.start("web5", "node2");
  CHECK(x.broken() == names{});
  CHECK(x.judge.excused() == 1);
  x.lab.truth.start("web4", "node2");
  CHECK(x.broken() == names{"S1"});
}

TEST_CASE("S4: nobody but a person switches a fenced node") {
  hand_played x;
  x.fault("power node5 off");
  x.fence("node5");
  x.lab.cluster.set_offline("node5", true);
  x.wait(minutes{1});
  SECTION("a person may") {
    x.take(power_of(power_verb::on, {"node5"}));
    x.command("node5", power_verb::on);
    CHECK(x.broken() == names{});
  }
  SECTION("automation may not") {
    x.command("node5", power_verb::on);
    CHECK(x.broken() == names{"S4"});
  }
  SECTION("nor for a person who wanted another node") {
    x.take(power_of(power_verb::on, {"node4"}));
    x.command("node5", power_verb::on);
    CHECK(x.broken() == names{"S4"});
  }
}

TEST_CASE("S4: no job places an instance on a fenced node") {
  hand_played x;
  x.fault("power node5 off");
  x.fence("node5");
  x.lab.cluster.set_offline("node5", true);
  x.fault("network node4 cut");
  x.take(word_about("node4"));
  x.write(entry_kind::outcome, "node:node4", "proof");
  x.fault("instance db4 stop");
  CHECK(x.broken() == names{});
  x.wait(minutes{1});
  SECTION("a target that is fenced") {
    x.order(
      hand_played::on_instance(op_kind::instance_failover, "db4", "node5"));
    CHECK(x.broken() == names{"S4"});
  }
  SECTION("another target") {
    x.order(
      hand_played::on_instance(op_kind::instance_failover, "db4", "node3"));
    CHECK(x.broken() == names{});
  }
  SECTION("a start where it is recorded") {
    x.order(hand_played::on_instance(op_kind::instance_startup, "db5"));
    CHECK(x.broken() == names{"S4"});
  }
}

TEST_CASE("S18: a command that nobody asked for is automation's fault") {
  hand_played x;
  x.phase("node5", "available");
  SECTION("nobody") {
    x.command("node5", power_verb::off);
  }
  SECTION("for another node") {
    x.take(power_of(power_verb::off, {"node4"}));
    x.command("node5", power_verb::off);
  }
  SECTION("another command") {
    x.take(power_of(power_verb::cycle, {"node5"}));
    x.command("node5", power_verb::off);
  }
  SECTION("after the end") {
    x.end(x.take(power_of(power_verb::off, {"node5"})));
    x.command("node5", power_verb::off);
  }
  SECTION("no name means no node") {
    x.take(epo_of({}));
    x.command("node5", power_verb::off);
  }
  SECTION("of another group") {
    x.take(epo_of({"group2"}, false, true));
    x.command("node5", power_verb::off);
  }
  CHECK(x.broken() == names{"S18"});
}

TEST_CASE("S18: what a person named may be switched, guards or not") {
  hand_played x;
  x.phase("node5", "available");
  for (const auto* node : {"node2", "node3", "node4"})
    x.fault("network " + std::string{node} + " cut");
  x.wait(minutes{1});
  SECTION("by name") {
    x.take(power_of(power_verb::off, {"node5"}));
  }
  SECTION("in an emergency") {
    x.take(epo_of({"node5"}));
  }
  SECTION("by its group") {
    x.take(epo_of({"group1"}, false, true));
  }
  x.command("node5", power_verb::off);
  CHECK(x.broken() == names{});
}

TEST_CASE("S18: more than five nodes need the count that was meant") {
  hand_played x{"big-40n"};
  std::vector<node_name> nodes;
  for (int i = 11; i <= 16; ++i)
    nodes.push_back("node" + std::to_string(i));
  auto wanted = power_of(power_verb::off, nodes);
  auto expected = names{};
  SECTION("none is given") {
    expected = {"S18"};
  }
  SECTION("less is given") {
    wanted.count = 5;
    expected = {"S18"};
  }
  SECTION("it is given") {
    wanted.count = 6;
  }
  x.take(wanted);
  for (std::size_t i = 0; i < 5; ++i)
    x.command(nodes[i], power_verb::off);
  CHECK(x.broken() == names{});
  x.command(nodes[5], power_verb::off);
  CHECK(x.broken() == expected);
}

TEST_CASE("S18: jobs of an errand concern what it names") {
  hand_played x;
  x.take(epo_of({"node5"}));
  auto intent = "errand-1/0/0/0";
  x.write(entry_kind::intent, "errand:errand-1", "job", intent);
  SECTION("an instance of the node") {
    x.send(hand_played::on_instance(op_kind::instance_shutdown, "web5"),
           intent);
    CHECK(x.broken() == names{});
  }
  SECTION("an instance of others") {
    x.send(hand_played::on_instance(op_kind::instance_shutdown, "db2"), intent);
    CHECK(x.broken() == names{"S18"});
  }
  SECTION("another node") {
    opcode op;
    op.kind = op_kind::node_set_offline;
    op.node = "node4";
    x.send(op, intent);
    CHECK(x.broken() == names{"S18"});
  }
}

TEST_CASE("S19: what a person switched off is not switched on or reset") {
  hand_played x;
  auto order = x.take(power_of(power_verb::off, {"node5"}));
  x.command("node5", power_verb::off);
  x.end(order);
  CHECK(x.broken() == names{});
  x.phases("node5", {"suspect", "checking", "recovering"});
  x.wait(minutes{1});
  SECTION("on") {
    x.command("node5", power_verb::on);
  }
  SECTION("reset") {
    x.command("node5", power_verb::cycle);
  }
  CHECK(x.broken() == names{"S19"});
}

TEST_CASE("S19: an older trouble is over once a person switches the node on") {
  hand_played x;
  x.fault("network node5 cut");
  auto expected = names{};
  SECTION("seen before") {
    x.phase("node5", "suspect");
    expected = {"S19"};
  }
  SECTION("seen after, when a boot is long over") {
  }
  CHECK(x.broken() == names{});
  x.wait(minutes{1});
  auto order = x.take(power_of(power_verb::on, {"node5"}));
  x.command("node5", power_verb::on);
  x.end(order);
  x.wait(minutes{1});
  if (expected.empty()) {
    x.wait(minutes{10});
    x.phase("node5", "suspect");
  }
  CHECK(x.broken() == names{});
  x.wait(minutes{1});
  x.phase("node5", "fencing");
  x.command("node5", power_verb::off);
  CHECK(x.broken() == expected);
}

TEST_CASE("S26: what an emergency power-off has is left alone until it is "
          "over") {
  hand_played x;
  x.fault("instance db5 stop");
  x.fault("network node5 cut");
  x.take(word_about("node5"));
  x.write(entry_kind::outcome, "node:node5", "proof");
  auto order = x.take(epo_of({"node5"}));
  CHECK(x.broken() == names{});
  x.wait(minutes{1});
  SECTION("while it holds") {
    x.order(x.failover("db5"));
    CHECK(x.broken() == names{"S26"});
  }
  SECTION("also after its end") {
    x.end(order);
    x.wait(minutes{1});
    x.order(x.failover("db5"));
    CHECK(x.broken() == names{"S26"});
  }
  SECTION("a step may be kept from its beginning") {
    opcode op;
    op.kind = op_kind::tags_del;
    op.tags_on = tag_kind::instance;
    op.tag_object = "db5";
    op.tags = {"orderly:token:r1:1"};
    x.order(op);
    CHECK(x.broken() == names{});
    op.tags.push_back("ganeti:watcher:autorepair:failover");
    x.order(op);
    CHECK(x.broken().count("S26") == 1);
  }
  SECTION("a mirror there counts, too") {
    x.order(hand_played::on_instance(op_kind::replace_disks, "web4"));
    CHECK(x.broken().count("S26") == 1);
  }
  SECTION("others are nobody's business") {
    x.fault("instance db4 stop");
    x.fault("network node4 cut");
    x.look();
    x.take(word_about("node4"));
    x.write(entry_kind::outcome, "node:node4", "proof");
    x.order(
      hand_played::on_instance(op_kind::instance_failover, "db4", "node3"));
    CHECK(x.broken() == names{});
  }
  SECTION("not if it came to nothing") {
    x.end(order, true);
    x.order(x.failover("db5"));
    CHECK(x.broken() == names{});
  }
  SECTION("not once the nodes are wanted on") {
    x.end(order);
    x.take(epo_of({"node5"}, true));
    x.order(x.failover("db5"));
    CHECK(x.broken() == names{});
  }
  SECTION("nor is it fenced") {
    x.phases("node5", {"suspect", "fencing"});
    x.end(order);
    x.command("node5", power_verb::off);
    CHECK(x.broken() == names{"S26"});
  }
}

TEST_CASE("L6: a fence tries all levels and then asks a person") {
  hand_played x{"small-5n", two_levels()};
  x.fault("network node5 cut");
  x.wait(minutes{1});
  x.phases("node5", {"suspect", "fencing"});
  CHECK(x.broken() == names{});
  auto expected = names{};
  SECTION("all levels, and an alert") {
    x.command("node5", power_verb::off, "/a");
    x.command("node5", power_verb::off, "/b");
    x.write(entry_kind::alert, "node:node5", "X.FENCE_STUCK");
  }
  SECTION("the first level only") {
    x.command("node5", power_verb::off, "/a");
    x.write(entry_kind::alert, "node:node5", "X.FENCE_STUCK");
    expected = {"L6"};
  }
  SECTION("nobody is asked") {
    x.command("node5", power_verb::off, "/a");
    x.command("node5", power_verb::off, "/b");
    expected = {"L6"};
  }
  SECTION("too young to judge") {
    x.command("node5", power_verb::off, "/a");
    CHECK(at_the_end(x) == names{});
    x.command("node5", power_verb::off, "/b");
    x.write(entry_kind::alert, "node:node5", "X.FENCE_STUCK");
  }
  x.wait(minutes{30});
  CHECK(at_the_end(x) == expected);
}

} // namespace orderly::laws_power_test
