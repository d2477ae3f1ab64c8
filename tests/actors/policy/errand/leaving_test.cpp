// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// An accepted order to switch a node off is a reservation at once.

#include "actors/policy/errand/errand.hpp"
#include "actors/policy/errand/leaving.hpp"

#include <catch2/catch.hpp>

namespace orderly::errand_leaving_test {

using namespace orderly::errand;

namespace {

state of(errand_request asked) {
  state s;
  s.id = "power-3";
  s.asked = std::move(asked);
  s.asked.who = "root";
  row node;
  node.object = "node2";
  node.kind = row_kind::node;
  row instance;
  instance.object = "web1";
  instance.kind = row_kind::instance;
  s.rows = {node, instance};
  return s;
}

state power(power_verb verb) {
  errand_request asked;
  power_errand what;
  what.verb = verb;
  what.nodes = {"node2"};
  asked.what = what;
  return of(asked);
}

} // namespace

TEST_CASE("a node is about to go from the moment its power-off is accepted") {
  auto s = power(GENERATE(power_verb::off, power_verb::cycle));
  auto all = leaving(s);
  REQUIRE(all.size() == 1);
  CHECK(all.begin()->first == "node2");
  CHECK(all.begin()->second.find("power-3") != std::string::npos);
  CHECK(all.begin()->second.find("root") != std::string::npos);
}

TEST_CASE("an emergency power-off, an offline mark and a word that it is off "
          "take a node away, too") {
  errand_request asked;
  SECTION("emergency power-off") {
    asked.what = epo_errand{};
  }
  SECTION("offline mark") {
    modify_errand what;
    what.offline = true;
    asked.what = what;
  }
  SECTION("word") {
    asked.what = confirm_errand{"node2"};
  }
  CHECK(leaving(of(asked)).count("node2") == 1);
}

TEST_CASE("nothing goes by readings, power-ons, rehearsals, and orders that "
          "are through with the node") {
  auto s = power(power_verb::off);
  SECTION("status") {
    s = power(power_verb::status);
  }
  SECTION("on") {
    s = power(power_verb::on);
  }
  SECTION("back on after an emergency power-off") {
    errand_request asked;
    epo_errand what;
    what.on = true;
    asked.what = what;
    s = of(asked);
  }
  SECTION("it was only asked what it would be about") {
    s.asked.dry = true;
  }
  SECTION("the node's row ended") {
    s.rows.front().state = row_state::failed;
  }
  SECTION("the errand ended") {
    s.ended = instant{minutes{1}};
  }
  CHECK(leaving(s).empty());
}

} // namespace orderly::errand_leaving_test
