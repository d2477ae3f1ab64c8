// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who goes first at the power switch, and that hung controllers cost nobody
// else anything.

#include "tests/actors/power/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::power_lanes_test {

using namespace orderly::oob_rig;

namespace {

constexpr int nodes = 200;
constexpr int hung_nodes = 20;

settings slots(std::uint32_t most) {
  settings rules;
  rules.power.concurrency = most;
  return rules;
}

std::string name(int i) {
  return "node" + std::to_string(1000 + i);
}

/// node1000 to node1019 never answer, all others do after 0.2 s.
bool is_hung(const node_name& node) {
  return node < name(hung_nodes);
}

void let_some_hang(rig& b) {
  b.power->calls.answer = [](const power_request& q) {
    return is_hung(q.node) ? says(
             failed(q, "OOB program execution timeout exceeded"), q.time_limit)
                           : says(is(q, power_state::on), millis{200});
  };
}

struct round {
  std::vector<pending<power_report>> good;
  std::vector<pending<power_report>> bad;

  /// Of the good ones.
  [[nodiscard]] std::ptrdiff_t read() const {
    return std::count_if(good.begin(), good.end(), [](const auto& x) {
      return x && x->confirmed && x->state == power_state::on;
    });
  }

  [[nodiscard]] std::ptrdiff_t given_up() const {
    return std::count_if(bad.begin(), bad.end(), [](const auto& x) {
      return x && !x->confirmed && x->state == power_state::unknown;
    });
  }
};

/// All are read; the hung ones are asked for first, which is the worst order.
round read_all(rig& b) {
  round result;
  for (int i = 0; i < nodes; ++i) {
    auto node = name(i);
    auto answer = b.order(node, power_verb::status);
    (is_hung(node) ? result.bad : result.good).push_back(answer);
  }
  return result;
}

/// How many of those calls are under way or over.
std::ptrdiff_t calls_to_hung(const rig& b) {
  const auto& asked = b.power->calls.asked;
  return std::count_if(asked.begin(), asked.end(),
                       [](const auto& q) { return is_hung(q.node); });
}

} // namespace

TEST_CASE("20 hung controllers among 200 do not delay the first reading of the "
          "others") {
  rig b;
  let_some_hang(b);
  auto all = read_all(b);
  b.on.run_for(seconds{5});
  CHECK(all.read() == nodes - hung_nodes);
  CHECK(all.given_up() == 0);
  b.on.run_for(minutes{5});
  CHECK(all.given_up() == hung_nodes);
}

TEST_CASE("with few slots hung controllers delay the others once and then no "
          "more") {
  rig b{slots(24)};
  let_some_hang(b);
  auto first = read_all(b);
  b.on.run_for(minutes{5});
  CHECK(first.read() == nodes - hung_nodes);
  CHECK(first.given_up() == hung_nodes);
  b.power->calls.asked.clear();
  auto second = read_all(b);
  b.on.run_for(seconds{5});
  CHECK(second.read() == nodes - hung_nodes);
  CHECK(calls_to_hung(b) == 12); // half of the slots
  b.on.run_for(minutes{5});
  CHECK(second.given_up() == hung_nodes);
}

TEST_CASE("a controller that answers again waits with the hung ones no "
          "longer") {
  rig b{slots(4)};
  let_some_hang(b);
  for (int i = 0; i < 4; ++i)
    b.order(name(i), power_verb::status);
  b.on.run_for(minutes{5});
  b.power->calls.asked.clear();
  for (int i = 0; i < 4; ++i)
    b.order(name(i), power_verb::status);
  CHECK(b.power->calls.asked.size() == 2);
  b.on.run_for(minutes{5});
  b.always(power_state::on);
  for (int i = 0; i < 4; ++i)
    b.order(name(i), power_verb::status);
  b.on.run_for(minutes{1});
  b.power->calls.asked.clear();
  for (int i = 0; i < 4; ++i)
    b.order(name(i), power_verb::status);
  CHECK(b.power->calls.asked.size() == 4);
}

TEST_CASE("an act on a node with a hung controller does not wait with the "
          "readings") {
  rig b{slots(2)};
  let_some_hang(b);
  b.order(name(0), power_verb::status);
  b.order(name(1), power_verb::status);
  b.on.run_for(minutes{5});
  b.power->calls.asked.clear();
  b.order(name(0), power_verb::status);
  b.order(name(1), power_verb::status);
  REQUIRE(b.power->calls.asked.size() == 1); // the slow half is full
  b.order(name(1), power_verb::off);
  CHECK(b.power->calls.asked.size() == 2);
}

TEST_CASE("a hung controller is read in the end though others are read all "
          "the time") {
  rig b{slots(2)};
  let_some_hang(b);
  b.order(name(0), power_verb::status);
  b.on.run_for(minutes{5});
  std::vector<pending<power_report>> crowd;
  for (int i = 0; i < nodes; ++i)
    crowd.push_back(b.order(name(500 + i), power_verb::status));
  auto slow = b.order(name(0), power_verb::status);
  for (int i = 0; i < nodes; ++i)
    crowd.push_back(b.order(name(700 + i), power_verb::status));
  b.power->calls.asked.clear();
  b.on.run_for(seconds{25}); // some 200 of the crowd by two slots
  CHECK(calls_to_hung(b) == 1);
  CHECK_FALSE(crowd.back());
}

TEST_CASE("acts go before readings, and readings of persons before ours") {
  rig b{slots(1)};
  b.order("node1", power_verb::status);
  auto ours = b.order("node2", power_verb::status);
  auto theirs = b.give(order_by("ann", "node3", power_verb::status));
  auto act = b.order("node4", power_verb::cycle);
  b.on.run_for(minutes{1});
  REQUIRE(ours);
  REQUIRE(theirs);
  REQUIRE(act);
  CHECK(act->at < theirs->at);
  CHECK(theirs->at < ours->at);
}

TEST_CASE("resets leave half of the slots, and no fence waits for them") {
  rig b{slots(4)};
  b.power->calls.answer
    = [](const power_request&) { return reply<power_answer>{}; };
  for (int i = 0; i < 4; ++i)
    b.order(name(i), power_verb::cycle);
  CHECK(b.power->calls.asked.size() == 2);
  b.order(name(4), power_verb::off);
  b.order(name(5), power_verb::off);
  CHECK(b.power->calls.asked.size() == 4);
  CHECK(b.power->calls.asked.back().node == name(5));
}

TEST_CASE("a person's cycle is no reset of ours: it waits for none of them") {
  rig b{slots(2)};
  b.power->calls.answer
    = [](const power_request&) { return reply<power_answer>{}; };
  b.order(name(0), power_verb::cycle);
  b.order(name(1), power_verb::cycle);
  CHECK(b.power->calls.asked.size() == 1);
  b.give(order_by("ann", name(2), power_verb::cycle));
  CHECK(b.power->calls.asked.size() == 2);
}

TEST_CASE("fences go before resets that came first") {
  rig b{slots(1)};
  b.order("node1", power_verb::status);
  auto reset = b.order("node2", power_verb::cycle);
  auto fence = b.order("node3", power_verb::off);
  b.on.run_for(minutes{1});
  REQUIRE(reset);
  REQUIRE(fence);
  CHECK(fence->at < reset->at);
}

TEST_CASE("a node has one operation at a time: acts as they came, and then "
          "the readings") {
  rig b; // each call takes 100 ms
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
  CHECK(off->at < again->at);
  CHECK(again->at < status->at);
  CHECK(b.power->commands() == verbs{power_verb::off});
}

TEST_CASE("an order that waited until nobody wants it any more is not "
          "worked") {
  rig b{slots(1)};
  b.power->calls.answer
    = [](const power_request&) { return reply<power_answer>{}; };
  std::vector<pending<power_report>> all;
  for (int i = 0; i < 10; ++i)
    all.push_back(b.order(name(i), power_verb::status));
  b.on.run_for(minutes{10});
  for (const auto& x : all) {
    REQUIRE(x);
    CHECK_FALSE(x->confirmed);
  }
  CHECK(all.back()->evidence == "refused: too long ago that it was asked for");
  CHECK(b.power->calls.asked.size() < all.size());
}

TEST_CASE("no more helpers run at once than the rules allow") {
  settings rules;
  rules.power.concurrency = 2;
  rig b{rules};
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
  rules.power.concurrency = 2;
  rig b{rules};
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
  rig b;
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
  rules.power.concurrency = 1;
  rules.power.queued_max = 2;
  rig b{rules};
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

TEST_CASE("an order that waits can be taken back, a command that left "
          "cannot") {
  rig b;
  auto first = b.give(order_by("bob", "node1", power_verb::off));
  auto other = order_by("bob", "node1", power_verb::cycle);
  other.intent = "i-second";
  auto second = b.give(other);
  b.on.run_for(millis{50}); // its helper runs
  b.on.tell(b.actor, power_withdraw{"node1", "i-node1"});
  b.on.tell(b.actor, power_withdraw{"node1", "i-second"});
  b.on.tell(b.actor, power_withdraw{"node1", ""});
  b.on.tell(b.actor, power_withdraw{"node9", "i-9"});
  b.on.run_for(minutes{5});
  REQUIRE(first);
  CHECK(first->confirmed);
  CHECK_FALSE(first->withdrawn);
  REQUIRE(second);
  CHECK(second->withdrawn);
  CHECK_FALSE(second->confirmed);
  CHECK_FALSE(second->tried);
  for (const auto& call : b.power->calls.asked)
    CHECK(call.verb != power_verb::cycle);
}

} // namespace orderly::power_lanes_test
