// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A person at a console in the simulation, and drills in which one acts.

#include "sim/lab/drill.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace orderly::lab_person_test {

using namespace orderly::sim;

namespace {

/// A small cluster with a running daemon, and what the person reads.
struct rig {
  rig() : x{*plan_named("small-5n", 1), settings{}, 1} {
    x.on_line
      = [this](instant, const std::string& who, const std::string& what) {
          if (who == tester)
            read.push_back(what);
        };
    x.run_for(minutes{1});
  }

  /// Enters it and waits.
  void enter(const std::string& command) {
    INFO(command);
    CHECK(x.apply(command).empty());
    x.run_for(minutes{2});
  }

  [[nodiscard]] bool has_read(const std::string& text) const {
    return std::any_of(read.begin(), read.end(), [&](const std::string& line) {
      return line.find(text) != std::string::npos;
    });
  }

  std::vector<order_step> steps() {
    std::vector<order_step> result;
    for (const auto& order : x.state().orders)
      result.push_back(order.step);
    return result;
  }

  lab x;
  std::vector<std::string> read;
};

using steps = std::vector<order_step>;

} // namespace

TEST_CASE("a command of a person is carried out and its end is read") {
  rig b;
  b.enter("orderly power off node3 --yes");
  CHECK_FALSE(b.x.state().truth.node("node3").powered);
  REQUIRE(!b.read.empty());
  CHECK(b.read.front() == "$ orderly power off node3 --yes");
  CHECK(b.has_read("node3"));
  CHECK_FALSE(b.has_read("exit code"));
  CHECK(b.steps()
        == steps{order_step::asked, order_step::taken, order_step::ended});
  const auto& order = b.x.state().orders.back();
  CHECK(order.wanted.who == tester);
  CHECK_FALSE(order.id.empty());
  CHECK_FALSE(order.failed);
  CHECK(b.x.broken().empty());
}

TEST_CASE("without --yes the person reads the question and says y") {
  rig b;
  b.enter("orderly power off node3");
  CHECK(b.has_read("[y/N]: y"));
  CHECK(b.has_read("web3"));
  CHECK_FALSE(b.x.state().truth.node("node3").powered);
}

TEST_CASE("what is refused is read with its exit code, and does nothing") {
  rig b;
  b.enter("orderly power off node1 --yes");
  CHECK(b.x.state().truth.node("node1").powered);
  CHECK(b.has_read("master node node1"));
  CHECK(b.has_read("exit code 1"));
  CHECK(b.steps() == steps{order_step::asked, order_step::refused});
}

TEST_CASE("a person waits in vain for a daemon that is down") {
  rig b;
  CHECK(b.x.apply("daemon kill").empty());
  b.enter("orderly power off node3 --yes");
  CHECK(b.has_read("orderly does not answer"));
  CHECK(b.x.state().truth.node("node3").powered);
  CHECK(b.steps() == steps{order_step::asked, order_step::refused});
}

TEST_CASE("a wrong word about a node with power is a lie") {
  rig b;
  CHECK(b.x.apply("bmc node3 fail").empty());
  CHECK(b.x.apply("network node3 cut").empty());
  b.enter("orderly confirm-off node3 --reason \"it is dark\"");
  CHECK(b.x.state().lies_told["node3"] == 1);
  CHECK(b.x.state().orders.front().wanted.reason == "it is dark");
  CHECK(b.x.apply("power node4 off").empty());
  b.enter("orderly confirm-off node4 --reason \"so is this\"");
  CHECK(b.x.state().lies_told.count("node4") == 0);
}

TEST_CASE("a command line that is wrong is found when a drill is read") {
  for (const auto* line :
       {"at 1m orderly", "at 1m orderly fly node3", "at 1m orderly power off",
        "at 1m orderly power off node3 --no-such-option",
        "upon fenced node:node3 orderly confirm-off"}) {
    INFO(line);
    CHECK_FALSE(parse_drill(std::string{line} + "\n", "d").ok());
  }
  auto good = parse_drill("at 1m orderly power status\n"
                          "upon fenced node:node3 after 5s orderly health\n",
                          "d");
  REQUIRE(good.ok());
  CHECK(good->events.front().fault == "orderly power status");
  CHECK(good->triggers.front().fault == "orderly health");
}

TEST_CASE("a drill gives nodes several helpers") {
  auto d = parse_drill("levels node3 = cluster oob-pdu\n"
                       "levels * = oob-a\n",
                       "d");
  REQUIRE(d.ok());
  auto rules = settings_of(*d, ".");
  REQUIRE(rules.ok());
  CHECK(rules->power.levels["node3"]
        == std::vector<std::string>{"cluster", "/usr/lib/orderly/oob-pdu"});
  CHECK(rules->power.levels["*"]
        == std::vector<std::string>{"/usr/lib/orderly/oob-a"});
  for (const auto* line : {"levels", "levels node3", "levels node3 =",
                           "levels node3 oob-a", "levels node3 = ! oob-a"}) {
    INFO(line);
    auto wrong = parse_drill(std::string{line} + "\n", "d");
    CHECK_FALSE((wrong.ok() && settings_of(*wrong, ".").ok()));
  }
}

} // namespace orderly::lab_person_test
