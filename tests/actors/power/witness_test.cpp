// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// No command leaves the power switch without the word of whoever ordered it,
// given after the commit.

#include "tests/actors/power/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::power_witness_test {

using namespace orderly::oob_rig;
using Catch::Matchers::Contains;

TEST_CASE("a command of automation leaves after its witness was asked") {
  rig b;
  auto report = b.order("n1", power_verb::off);
  b.on.run_for(seconds{10});
  REQUIRE(report);
  CHECK(report->confirmed);
  CHECK(report->commanded);
  CHECK(report->before == power_state::on);
  CHECK(b.said->asked == 1);
}

TEST_CASE("without its witness's word no command of automation leaves") {
  for (auto answers : {false, true}) {
    rig b;
    b.said->word = power_last_word{false, answers, "its daemons answer"};
    auto report = b.order("n1", power_verb::off);
    b.on.run_for(seconds{10});
    REQUIRE(report);
    CHECK_FALSE(report->confirmed);
    CHECK_FALSE(report->commanded);
    CHECK(report->held_back);
    CHECK(report->answers == answers);
    CHECK_THAT(report->evidence, Contains("its daemons answer"));
    CHECK(b.power->commands().empty());
  }
}

TEST_CASE("a witness that does not answer in time is no witness") {
  rig b;
  b.said->word.reset();
  auto report = b.order("n1", power_verb::cycle);
  b.on.run_for(minutes{2});
  REQUIRE(report);
  CHECK(report->held_back);
  CHECK(b.power->commands().empty());
}

TEST_CASE("an order of automation that nobody answers for is not carried out") {
  rig b;
  auto report
    = b.on.ask<power_report>(b.actor, order_of("n1", power_verb::off));
  b.on.run_for(seconds{10});
  REQUIRE(report);
  CHECK(report->held_back);
  CHECK(b.power->commands().empty());
}

TEST_CASE("the witness is asked again at each helper, after the commit") {
  rig b;
  b.always(power_state::on); // no helper can switch it off
  auto order = order_of("n1", power_verb::off);
  order.programs = {"/one", "/two"};
  b.disk->writes.answer = [&b](const journal_batch& batch) {
    CHECK(b.said->asked == b.disk->count(to_string(power_verb::off)));
    b.disk->write(batch);
    return says(journal_ack{true, {}}, seconds{1});
  };
  auto report = b.give(order);
  b.on.run_for(minutes{10});
  REQUIRE(report);
  CHECK_FALSE(report->confirmed);
  CHECK(b.said->asked == 2);
}

TEST_CASE("without a word for it no command of a person leaves, and no wish "
          "stays") {
  for (auto verb : {power_verb::off, power_verb::on, power_verb::cycle}) {
    rig b;
    b.said->word = power_last_word{false, false, "stopped by eve"};
    auto report = b.give(order_by("bob", "n1", verb));
    b.on.run_for(seconds{10});
    REQUIRE(report);
    CHECK_FALSE(report->confirmed);
    CHECK_FALSE(report->commanded);
    CHECK_THAT(report->evidence, Contains("stopped by eve"));
    CHECK(report->wish == power_wish{});
    CHECK(b.power->commands().empty());
  }
}

TEST_CASE("an order of which nothing left keeps the wish before it") {
  rig b;
  b.give(order_by("ann", "n1", power_verb::off));
  b.on.run_for(minutes{1});
  b.said->word = power_last_word{false, false, "stopped by eve"};
  auto report = b.give(order_by("bob", "n1", power_verb::on));
  b.on.run_for(minutes{1});
  REQUIRE(report);
  CHECK(report->wish.who == "ann");
  b.crash();
  b.start();
  auto kept = b.on.ask<power_wishes>(b.actor, ask_wishes{});
  REQUIRE(kept);
  CHECK(kept->wishes.at("n1").wanted == power_state::off);
}

TEST_CASE("an order that is taken back commands nothing more") {
  rig b;
  b.always(power_state::on); // no helper can switch it off
  auto order = order_by("bob", "n1", power_verb::off);
  order.programs = {"/one", "/two"};
  SECTION("at the next helper") {
    auto report = b.give(order);
    b.on.run_for(seconds{5});
    b.on.tell(b.actor, power_withdraw{"n1", order.intent});
    b.on.run_for(minutes{10});
    REQUIRE(report);
    CHECK_FALSE(report->withdrawn);
    CHECK(report->commanded);
    CHECK(b.calls_of("/two").empty());
    CHECK(b.disk->count(to_string(power_verb::off)) == 1);
  }
  SECTION("while its intent is written down") {
    b.disk->writes.answer = [&b](const journal_batch& batch) {
      b.disk->write(batch);
      return says(journal_ack{true, {}}, seconds{5});
    };
    auto report = b.give(order);
    b.on.run_for(seconds{1});
    b.on.tell(b.actor, power_withdraw{"n1", order.intent});
    b.on.run_for(minutes{1});
    REQUIRE(report);
    CHECK(report->withdrawn);
    CHECK(b.power->commands().empty());
  }
}

TEST_CASE("a right that ended while the witness was asked sends nothing") {
  rig b;
  b.give_right(seconds{20});
  b.said->word.reset();
  auto report = b.order("n1", power_verb::off);
  b.on.run_for(minutes{2});
  REQUIRE(report);
  CHECK(report->held_back);
  CHECK(b.power->commands().empty());
}

} // namespace orderly::power_witness_test
