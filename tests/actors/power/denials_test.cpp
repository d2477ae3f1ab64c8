// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A controller that refuses our password, and how a hung machine is reset.

#include "messages/codes.hpp"
#include "tests/actors/power/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::power_denials_test {

using namespace orderly::oob_rig;

namespace {

/// Reads on, and refuses whatever else it is asked; counts the words.
struct denying {
  std::vector<std::string> words;

  void on(rig& b) {
    b.power->calls.answer = [this](const power_request& q) {
      words.emplace_back(word_of(q));
      auto x = failed(q, "it refuses the password");
      if (q.verb == power_verb::status)
        x = is(q, power_state::on);
      else
        x.denied = true;
      return says(x, millis{100});
    };
  }
};

std::size_t alerts(const rig& b) {
  return static_cast<std::size_t>(std::count_if(
    b.disk->entries.begin(), b.disk->entries.end(), [](const auto& x) {
      return x.kind == entry_kind::alert && x.code == codes::auth_error;
    }));
}

} // namespace

TEST_CASE("a refused password is an alert, once a node and day") {
  rig b;
  denying bmc;
  bmc.on(b);
  auto x = b.order("node1", power_verb::cycle);
  b.on.run_for(minutes{5});
  REQUIRE(x);
  CHECK_FALSE(x->confirmed);
  CHECK(alerts(b) == 1);
  b.order("node1", power_verb::cycle);
  b.on.run_for(minutes{5});
  CHECK(alerts(b) == 1);
  b.order("node2", power_verb::cycle);
  b.on.run_for(minutes{5});
  CHECK(alerts(b) == 2);
  b.crash();
  b.start();
  b.order("node1", power_verb::cycle);
  b.on.run_for(minutes{5});
  CHECK(alerts(b) == 2);
  b.on.run_for(hours{24});
  b.give_right();
  b.order("node1", power_verb::cycle);
  b.on.run_for(minutes{5});
  CHECK(alerts(b) == 3);
}

TEST_CASE("a helper that failed for another reason is no such alert") {
  rig b;
  b.power->calls.answer = [](const power_request& q) {
    return says(failed(q, "no session"), millis{100});
  };
  b.order("node1", power_verb::off);
  b.on.run_for(minutes{5});
  CHECK(alerts(b) == 0);
}

TEST_CASE("a reset is told as it was ordered, a person's cycle is a cycle") {
  rig b;
  std::vector<std::string> words;
  b.power->calls.answer = [&](const power_request& q) {
    words.emplace_back(word_of(q));
    return says(is(q, power_state::on), millis{100});
  };
  auto wanted = order_of("node1", power_verb::cycle);
  wanted.way = restart_way::reset;
  auto x = b.give(wanted);
  b.on.run_for(minutes{1});
  REQUIRE(x);
  CHECK(x->confirmed);
  CHECK(
    words
    == std::vector<std::string>{"power-status", "power-reset", "power-status"});
  words.clear();
  b.give(order_by("bob", "node2", power_verb::cycle));
  b.on.run_for(minutes{1});
  CHECK(std::count(words.begin(), words.end(), "power-cycle") == 1);
  CHECK(std::count(words.begin(), words.end(), "power-reset") == 0);
}

TEST_CASE("a machine that reads off is not reset, and nothing is commanded") {
  rig b;
  b.always(power_state::off);
  auto x = b.order("node1", power_verb::cycle);
  b.on.run_for(minutes{1});
  REQUIRE(x);
  CHECK_FALSE(x->confirmed);
  CHECK_FALSE(x->commanded);
}

} // namespace orderly::power_denials_test
