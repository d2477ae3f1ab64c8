// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// When a person's wish ends though nobody took it back: the node is another
// one, or somebody switched it on by other means.

#include "tests/actors/power/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::power_wish_end_test {

using namespace orderly::oob_rig;

namespace {

struct wish_rig : rig {
  power_report done(power_order x, const std::string& uuid = "u-1") {
    x.uuid = uuid;
    x.since = on.now();
    auto report = give(std::move(x));
    on.run_for(minutes{3});
    REQUIRE(report);
    return *report;
  }

  power_report by_ann(power_verb verb) {
    return done(order_by("ann", "node1", verb));
  }

  /// By a rehearsal.
  power_report read() { return done(order_of("node1", power_verb::status)); }

  power_state wanted() {
    auto x = on.ask<power_wishes>(actor, ask_wishes{});
    REQUIRE(x);
    auto i = x->wishes.find("node1");
    return i == x->wishes.end() ? power_state::unknown : i->second.wanted;
  }

  std::string remembered() {
    auto x = on.ask<power_wishes>(actor, ask_wishes{});
    REQUIRE(x);
    auto i = x->wishes.find("node1");
    return i == x->wishes.end() ? std::string{} : i->second.switched_off;
  }

  /// Somebody, at the button or the outlet.
  void press(bool turns_on) { machines.is_off["node1"] = !turns_on; }

  void restart() {
    crash();
    start();
  }
};

} // namespace

TEST_CASE("who is told of a wish is told of which node it is") {
  wish_rig b;
  b.by_ann(power_verb::off);
  auto x = b.on.ask<power_wishes>(b.actor, ask_wishes{});
  REQUIRE(x);
  CHECK(wish_in(x->wishes, "node1", "u-1").wanted == power_state::off);
  CHECK(wish_in(x->wishes, "node1", "u-2") == power_wish{});
  CHECK(wish_in(x->wishes, "node2", "u-1") == power_wish{});
  // An older journal does not say.
  auto older = x->wishes;
  older["node1"].uuid.clear();
  CHECK(wish_in(older, "node1", "u-2").wanted == power_state::off);
}

TEST_CASE("a wish is about a node, not about another one that got its name") {
  wish_rig b;
  b.by_ann(power_verb::off);
  SECTION("in the same life") {
  }
  SECTION("after a restart") {
    b.restart();
  }
  auto x = b.done(order_of("node1", power_verb::status), "u-2");
  CHECK(x.wish == power_wish{});
  CHECK(b.wanted() == power_state::unknown);
  CHECK(b.disk->states.count("wish:node1") == 0);
  REQUIRE(b.disk->count("power-wish-ended") == 1);
  CHECK(b.disk->entries.back().why
        == "no longer holds: ann wants node1 off since 2026-01-01 00:00:00 UTC "
           "(maintenance); that was another node of this name");
  b.press(true);
  CHECK(b.done(order_of("node1", power_verb::cycle), "u-2").confirmed);
}

TEST_CASE("a wish holds for orders that do not know which node it is") {
  wish_rig b;
  b.by_ann(power_verb::off);
  CHECK(b.done(order_of("node1", power_verb::cycle), "").by_wish);
  CHECK(b.wanted() == power_state::off);
}

TEST_CASE("a person's off ends once the node was off and is read as on twice") {
  wish_rig b;
  b.by_ann(power_verb::off);
  b.press(true);
  CHECK(b.read().wish.wanted == power_state::off);
  CHECK(b.done(order_of("node1", power_verb::cycle)).by_wish);
  CHECK(b.read().wish.wanted == power_state::unknown);
  CHECK(b.wanted() == power_state::unknown);
  CHECK(b.disk->count("power-wish-ended") == 1);
  CHECK(b.done(order_of("node1", power_verb::cycle)).confirmed);
}

TEST_CASE("that a person had it switched off is remembered after the wish, "
          "until it is on by an order, or in service and answers") {
  wish_rig b;
  b.by_ann(power_verb::off);
  auto by_readings = GENERATE(true, false);
  if (by_readings) { // its power-on failed otherwise
    b.press(true);
    b.read();
    b.read();
    CHECK(b.wanted() == power_state::unknown);
  } else {
    b.always(power_state::unknown);
    CHECK_FALSE(b.by_ann(power_verb::on).confirmed);
    CHECK(b.wanted() == power_state::on);
  }
  CHECK(b.remembered() == "ann had it switched off: maintenance");
  b.restart();
  CHECK(b.remembered() == "ann had it switched off: maintenance");
  SECTION("until an order switched it on") {
    b.power->calls.answer
      = [&](const power_request& q) { return says(b.machines(q)); };
    CHECK(b.by_ann(power_verb::on).confirmed);
  }
  SECTION("until it is in service and answers") {
    auto x = order_of("node1", power_verb::status);
    b.on.run_for(millis{1});
    x.answers_since = x.answered_at = b.on.now();
    b.done(x);
  }
  CHECK(b.remembered().empty());
  b.restart();
  CHECK(b.remembered().empty());
}

TEST_CASE("that a node was off as a person wanted is known after a restart") {
  wish_rig b;
  b.by_ann(power_verb::off);
  b.restart();
  b.press(true);
  b.read();
  b.read();
  CHECK(b.wanted() == power_state::unknown);
}

TEST_CASE("a node that is read as on once stays wanted off") {
  wish_rig b;
  SECTION("off again in between") {
    b.by_ann(power_verb::off);
    for (auto turns_on : {true, false, true, false}) {
      b.press(turns_on);
      b.read();
    }
  }
  SECTION("nothing known") {
    b.by_ann(power_verb::off);
    b.press(true);
    b.read();
    b.always(power_state::unknown);
    b.read();
    b.read();
  }
  CHECK(b.wanted() == power_state::off);
}

TEST_CASE("a person's off ends when its order fails and the node is on") {
  wish_rig b;
  b.always(power_state::on);
  auto x = b.by_ann(power_verb::off);
  CHECK_FALSE(x.confirmed);
  CHECK(x.wish.wanted == power_state::unknown);
  CHECK(b.wanted() == power_state::unknown);
  CHECK(b.disk->count("power-wish-ended") == 1);
  // The reading may be wrong.
  CHECK(b.remembered() == "ann had it switched off: maintenance");
}

TEST_CASE("a person's off of which nobody knows what became stays until that "
          "is known") {
  wish_rig b;
  b.always(power_state::unknown);
  CHECK_FALSE(b.by_ann(power_verb::off).confirmed);
  CHECK(b.wanted() == power_state::off);
  auto after_restart = GENERATE(false, true);
  if (after_restart)
    b.restart();
  SECTION("it stayed on") {
    b.always(power_state::on);
    b.read();
    CHECK(b.wanted() == power_state::off);
    b.read();
    CHECK(b.wanted() == power_state::unknown);
  }
  SECTION("it went off") {
    b.always(power_state::off);
    b.read();
    b.always(power_state::unknown);
    b.on.run_for(minutes{5});
    CHECK(b.wanted() == power_state::off);
  }
  SECTION("it is in service and answers") {
    auto x = order_of("node1", power_verb::status);
    x.answers_since = x.answered_at = b.on.now();
    CHECK(b.done(x).wish.wanted == power_state::off);
    b.on.run_for(minutes{2});
    // It was asked for before, and says nothing of what is now.
    CHECK(b.done(x).wish.wanted == power_state::off);
    x.answered_at = b.on.now();
    CHECK(b.done(x).wish.wanted == power_state::unknown);
  }
}

TEST_CASE("a second off that fails leaves the first one in force") {
  wish_rig b;
  b.by_ann(power_verb::off);
  b.always(power_state::unknown);
  CHECK_FALSE(b.by_ann(power_verb::off).confirmed);
  CHECK(b.wanted() == power_state::off);
}

TEST_CASE("a person's off ends when the node answers in service for a while") {
  wish_rig b;
  b.by_ann(power_verb::off);
  b.always(power_state::unknown);
  auto since = b.on.now();
  auto read = [&](instant answers_since) {
    auto x = order_of("node1", power_verb::status);
    x.answers_since = answers_since;
    x.answered_at = b.on.now();
    return b.done(x).wish.wanted;
  };
  CHECK(read(since) == power_state::off);
  b.on.run_for(minutes{15});
  CHECK(read(never) == power_state::off);
  CHECK(read(b.on.now() - minutes{9}) == power_state::off);
  CHECK(read(since) == power_state::unknown);
  CHECK(b.disk->count("power-wish-ended") == 1);
}

TEST_CASE("that it answered before the order ends no off") {
  wish_rig b;
  auto since = b.on.now();
  b.on.run_for(minutes{30});
  b.by_ann(power_verb::off);
  auto x = order_of("node1", power_verb::status);
  x.answers_since = since;
  x.answered_at = b.on.now();
  b.on.run_for(minutes{30});
  CHECK(b.done(x).wish.wanted == power_state::off);
}

TEST_CASE("a person's on does not end by readings") {
  wish_rig b;
  b.by_ann(power_verb::on);
  b.press(false);
  b.read();
  b.read();
  CHECK(b.wanted() == power_state::on);
}

} // namespace orderly::power_wish_end_test
