// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The laws about what is certain of a node: S2 S33, and whom lies excuse.

#include "tests/sim/laws/hand_played.hpp"

namespace orderly::laws_proof_test {

using namespace orderly::sim;

namespace {

errand_request word_about(const node_name& node) {
  return {confirm_errand{node}, {}, "I pulled its plug", false, {}};
}

/// node5 is off, in two ways: it was read off, and that is on disk.
struct proved_five : hand_played {
  proved_five() {
    fault("power node5 off");
    wait(seconds{40});
    power("node5", power_verb::status);
    prove();
    REQUIRE(broken() == names{});
  }

  void prove() {
    write(entry_kind::outcome, "node:node5", "proof");
    look();
  }

  void boot() {
    fault("power node5 on");
    wait(minutes{3});
  }
};

} // namespace

TEST_CASE("S2: a failover without proof") {
  hand_played x;
  x.fault("power node5 off");
  x.order(x.failover("web5"), "r1");
  CHECK(x.broken() == names{"S2"});
  x.power("node5", power_verb::status);
  x.write(entry_kind::outcome, "node:node5", "proof");
  x.order(x.failover("db5"), "r2");
  CHECK(x.broken() == names{});
}

TEST_CASE("S2: a reading is good for ten minutes, whatever is written") {
  proved_five x;
  auto expected = names{};
  SECTION("nine") {
    x.wait(minutes{9});
  }
  SECTION("eleven") {
    x.wait(minutes{11});
    x.prove();
    expected = {"S2"};
  }
  SECTION("eleven, and read again") {
    x.wait(minutes{11});
    x.power("node5", power_verb::status);
  }
  x.order(x.failover("web5"));
  CHECK(x.broken() == expected);
}

TEST_CASE("S2: a reading that nobody wrote down is no proof") {
  hand_played x;
  x.fault("power node5 off");
  x.wait(seconds{40});
  x.power("node5", power_verb::status);
  x.order(x.failover("web5"));
  CHECK(x.broken() == names{"S2"});
}

TEST_CASE("S2: a reading is void once the node was told to switch on, or was "
          "seen alive") {
  proved_five x;
  SECTION("told to switch on") {
    x.fault("bmc node5 hang");
    x.write(entry_kind::intent, "node:node5", "power-on", "i1");
    power_deed deed;
    deed.at = x.t;
    deed.node = "node5";
    deed.verb = power_verb::on;
    x.lab.note(deed);
  }
  SECTION("seen alive") {
    x.boot();
    x.fault("power node5 off");
  }
  x.wait(minutes{1});
  x.order(x.failover("web5"));
  CHECK(x.broken() == names{"S2"});
}

TEST_CASE("S2: a person's word is good for a day, or until it is refused or "
          "the node lives") {
  hand_played x;
  x.fault("power node5 off");
  x.wait(seconds{40});
  auto order = x.take(word_about("node5"));
  x.write(entry_kind::outcome, "node:node5", "proof");
  x.look();
  auto expected = names{"S2"};
  SECTION("good") {
    x.wait(hours{23});
    expected = {};
  }
  SECTION("too old") {
    x.wait(hours{25});
  }
  SECTION("refused") {
    order.step = order_step::refused;
    x.lab.note(order);
  }
  SECTION("the asker was told that it came to nothing") {
    x.end(order, true);
  }
  SECTION("the node was seen alive") {
    x.fault("power node5 on");
    x.wait(minutes{3});
    x.fault("power node5 off");
    x.wait(minutes{1});
  }
  x.order(x.failover("web5"));
  CHECK(x.broken() == expected);
}

TEST_CASE("S33: nothing is proved about a node whose daemons answer") {
  proved_five x;
  x.fault("power node5 on");
  SECTION("it boots") {
    x.wait(seconds{50});
    x.prove();
    CHECK(x.broken() == names{});
  }
  SECTION("it answers since a moment ago") {
    x.wait(seconds{75});
    x.prove();
    CHECK(x.broken() == names{});
  }
  SECTION("it answers") {
    x.wait(seconds{90});
    x.prove();
    CHECK(x.broken() == names{"S33"});
  }
  SECTION("its daemon is down") {
    x.fault("noded node5 down");
    x.wait(minutes{3});
    x.prove();
    CHECK(x.broken() == names{});
  }
}

TEST_CASE("S33: a node whose daemons answer is not called fenced, whoever "
          "says that it is off") {
  hand_played x;
  x.fault("bmc node5 lies-off");
  x.lose_sight("node5");
  x.phases("node5", {"suspect", "fencing"});
  x.power("node5", power_verb::status);
  x.wait(minutes{1});
  SECTION("it is cut off") {
    x.phase("node5", "fenced");
    CHECK(x.broken() == names{});
    CHECK(x.judge.excused() == 1);
  }
  SECTION("it answers") {
    x.fault("network node5 heal");
    x.wait(minutes{1});
    x.phase("node5", "fenced");
    CHECK(x.broken() == names{"S3", "S33"});
  }
}

TEST_CASE("S33: nobody is failed over from a node out of service that "
          "answers") {
  proved_five x;
  x.lab.cluster.set_offline("node5", true);
  x.boot();
  x.power("node5", power_verb::off);
  x.fault("power node5 on");
  x.wait(minutes{3});
  x.order(x.failover("web5"));
  CHECK(x.broken().count("S33") == 1);
}

TEST_CASE("a lie excuses only what it is about, while nobody could know "
          "better") {
  hand_played x;
  x.fault("bmc node5 lies-off");
  x.lose_sight("node5");
  auto expected = names{};
  SECTION("told while nobody could look") {
    x.power("node5", power_verb::status);
  }
  SECTION("not told") {
    expected = {"S1"};
  }
  SECTION("told, and a daemon answers now") {
    x.power("node5", power_verb::status);
    x.fault("network node5 heal");
    x.wait(minutes{1});
    expected = {"S1"};
  }
  SECTION("told, and a daemon has answered since") {
    x.power("node5", power_verb::status);
    x.fault("network node5 heal");
    x.wait(minutes{1});
    x.lose_sight("node5");
    expected = {"S1"};
  }
  SECTION("told again after that") {
    x.fault("network node5 heal");
    x.wait(minutes{1});
    x.lose_sight("node5");
    x.power("node5", power_verb::status);
  }
  SECTION("told about another node") {
    x.fault("bmc node4 lies-off");
    x.power("node4", power_verb::status);
    expected = {"S1"};
  }
  x.lab.truth.start("web5", "node2");
  CHECK(x.broken() == expected);
  CHECK(x.judge.excused() == (expected.empty() ? 1 : 0));
}

TEST_CASE("a failover that was sent on a lie stays excused while it is under "
          "way") {
  hand_played x;
  x.fault("bmc node5 lies-off");
  x.lose_sight("node5");
  x.lab.cluster.set_offline("node5", true);
  x.power("node5", power_verb::status);
  x.write(entry_kind::outcome, "node:node5", "proof");
  x.order(x.failover("web5"));
  x.fault("network node5 heal");
  x.wait(minutes{2});
  CHECK(x.lab.truth.homes("web5").size() == 2);
  CHECK(x.broken() == names{});
  CHECK(x.judge.excused() == 2);
}

} // namespace orderly::laws_proof_test
