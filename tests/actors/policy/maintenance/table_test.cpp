// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/table.hpp"
#include "tests/actors/policy/maintenance/life.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <random>
#include <set>
#include <sstream>

namespace orderly::maintenance_test {

namespace {

using sight = event_report::sight;

/// Anything that may happen to an event, drawn at random.
void happen(life& x, std::mt19937& dice) {
  auto roll = [&dice](unsigned n) { return dice() % n; };
  constexpr job_status ends[] = {job_status::success, job_status::success,
                                 job_status::error, job_status::canceled};
  switch (roll(9)) {
  case 0:
    x.report(roll(3) == 0 ? sight::absent : sight::shown);
    break;
  case 1:
    if (!x.sent.empty())
      x.end(x.sent[roll(static_cast<unsigned>(x.sent.size()))].intent,
            ends[roll(4)]);
    break;
  case 2:
    x.plan({{"i1", {{false, "n2"}, {true, "n3"}}}});
    break;
  case 3:
    x.node().drained = x.node().drained || roll(2) == 0;
    x.node().offline = x.node().drained && roll(3) == 0;
    break;
  case 4:
    if (roll(2) == 0)
      x.record.instances.clear();
    else if (x.record.instances.empty())
      x.add("i1", "n1", "n2",
            roll(4) == 0 ? disk_template::plain : disk_template::drbd);
    break;
  case 5:
    x.node().tags = roll(2) == 0 ? std::vector<std::string>{}
                                 : std::vector<std::string>{x.s.tag};
    break;
  case 6:
    x.seen.turn = roll(4) != 0;
    break;
  case 7:
    if (roll(12) == 0)
      x.order(roll(2) == 0 ? event_verb::cancel : event_verb::ack);
    break;
  default:
    if (roll(12) == 0)
      x.now += hours{1}; // in which its node said nothing
    break;
  }
  x.read();
}

} // namespace

TEST_CASE("no way is taken that the table does not have, and all of it is") {
  std::set<std::pair<event_phase, event_phase>> taken;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 dice{seed};
    life x{static_cast<event_action>(seed % 3),
           seed % 4 == 0 ? "{}" : R"({"command":"reseat"})"};
    x.seen.turn = seed % 5 != 0;
    for (int i = 0; i < 60 && x.s.phase != event_phase::forgotten; ++i) {
      auto before = x.s;
      happen(x, dice);
      if (seed % 7 == 0 && i == 20)
        x.record.nodes.front().uuid = "another";
      if (x.s.phase != before.phase)
        taken.emplace(before.phase, x.s.phase);
    }
  }
  // Several passages may lie between two looks: only single ones are compared.
  for (const auto& x : passages()) {
    INFO(to_string(x.from) << " -> " << to_string(x.to));
    auto seen = taken.count({x.from, x.to}) != 0;
    auto quick = x.from == event_phase::closing && x.to == event_phase::failing;
    CHECK((seen || quick || x.to == event_phase::forgotten));
  }
}

TEST_CASE("ready is said only of what is empty and offline, or has run") {
  int words = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 dice{seed + 10000};
    auto action = static_cast<event_action>(seed % 3);
    life x{action, R"({"command":"reseat"})"};
    for (int i = 0; i < 80; ++i)
      happen(x, dice);
    for (const auto& said : x.ready_said) {
      ++words;
      if (action == event_action::live_repair) {
        CHECK(said.jobs >= 1);
        continue;
      }
      CHECK(said.picture->nodes.front().offline);
      for (const auto& one : said.picture->instances) {
        CHECK(one.primary != "n1");
        CHECK(one.secondaries != std::vector<node_name>{"n1"});
      }
    }
  }
  CHECK(words > 100); // or it would prove nothing
}

TEST_CASE("the handbook shows the table as it is") {
  std::ifstream in{ORDERLY_SOURCE_DIR "/docs/policies/maintenance.md"};
  std::ostringstream text;
  text << in.rdbuf();
  CHECK(text.str().find(diagram()) != std::string::npos);
}

} // namespace orderly::maintenance_test
