// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a node actor believes of its controller.

#include "tests/actors/node/node_rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::node_power_test {

namespace {

settings with_rehearsals(seconds interval) {
  settings s;
  s.power.rehearsal_interval = interval;
  return s;
}

/// Marked offline by a person, its controller says off, its daemons are silent.
void take_away(node_rig& b) {
  b.facts.record.offline = true;
  b.world->power = power_state::off;
  b.world->daemons = health::unhealthy;
}

const std::string still_answers = "X.OFF_BUT_ANSWERS";

} // namespace

TEST_CASE("each renewal of the proof that an offline node is off asks its "
          "daemons first") {
  node_rig b{with_rehearsals(seconds{0})};
  take_away(b);
  b.boot();
  b.run_for(seconds{20});
  REQUIRE(b.proved());
  auto probes = b.world->probes;
  b.run_for(minutes{5});
  CHECK(b.proved());
  CHECK(b.world->probes >= probes + 4);
  b.world->daemons = health::healthy; // somebody pressed its button
  b.run_for(minutes{2});
  CHECK_FALSE(b.proved());
  CHECK(b.disk->count(still_answers) == 1);
}

TEST_CASE("that the daemons answer though the controller says off is told once "
          "a change") {
  node_rig b{with_rehearsals(seconds{0})};
  take_away(b);
  b.world->daemons = health::healthy;
  b.boot();
  b.run_for(minutes{20});
  CHECK(b.disk->count(still_answers) == 1);
  b.world->daemons = health::unhealthy;
  b.run_for(minutes{5});
  b.world->daemons = health::healthy;
  b.run_for(minutes{5});
  CHECK(b.disk->count(still_answers) == 2);
}

TEST_CASE("a controller that lied is believed again once it has said on") {
  node_rig b{with_rehearsals(seconds{0})};
  take_away(b);
  b.world->daemons = health::healthy;
  b.boot();
  b.run_for(minutes{2});
  b.world->daemons = health::unhealthy;
  b.run_for(minutes{5});
  CHECK_FALSE(b.proved());
  CHECK_FALSE(b.world->shown.doubt.empty());
  b.world->power = power_state::on;
  b.run_for(minutes{2});
  CHECK(b.world->shown.doubt.empty());
  b.world->power = power_state::off;
  b.run_for(minutes{2});
  CHECK(b.proved());
}

TEST_CASE("that a controller lied outlives a restart") {
  node_rig b{with_rehearsals(seconds{0})};
  take_away(b);
  b.world->daemons = health::healthy;
  b.boot();
  b.run_for(minutes{2});
  b.on.kill(b.actor);
  b.world->daemons = health::unhealthy;
  b.boot();
  b.run_for(minutes{5});
  CHECK_FALSE(b.proved());
}

TEST_CASE("what the daemons of an offline node say counts for rehearsals") {
  node_rig b{with_rehearsals(minutes{2})};
  b.boot();
  b.run_for(seconds{30});
  REQUIRE(b.world->shown.power_control.result == protection::proven);
  b.facts.record.offline = true;
  b.world->power = power_state::off;
  b.run_for(minutes{10});
  CHECK(b.world->shown.power_control.result == protection::unproven);
  CHECK(b.disk->count("X.UNPROTECTED") == 1);
}

TEST_CASE("a controller that was silent and never lied is believed when it "
          "says off") {
  node_rig b{with_rehearsals(minutes{2})};
  b.world->power = power_state::unknown;
  b.boot();
  b.run_for(minutes{5});
  REQUIRE(b.world->shown.power_control.result == protection::unproven);
  take_away(b);
  b.run_for(minutes{5});
  CHECK(b.proved());
  CHECK(b.world->shown.power_control.result == protection::unproven);
  CHECK(b.world->shown.power_control.why.find("answers again")
        != std::string::npos);
}

TEST_CASE("a person's order for on voids the proof before anything is read") {
  node_rig b{with_rehearsals(seconds{0})};
  take_away(b);
  b.boot();
  b.run_for(seconds{20});
  REQUIRE(b.proved());
  auto readings = b.world->readings;
  b.world->answers = false; // the switch is busy with that order
  b.facts.wish = {power_state::on, "bob", "fan is in", b.on.now(), {}};
  b.read();
  CHECK(b.world->readings == readings);
  CHECK_FALSE(b.proved());
}

TEST_CASE(
  "a reading from before a person's order is told no more, and soon done "
  "again") {
  node_rig b{with_rehearsals(seconds{0})};
  take_away(b);
  b.boot();
  b.run_for(seconds{20});
  REQUIRE(b.world->shown.power == power_state::off);
  b.facts.wish = {power_state::on, "bob", "fan is in", b.on.now(), {}};
  b.read();
  CHECK(b.world->shown.power == power_state::unknown);
  b.world->power = power_state::on;
  b.run_for(seconds{30});
  CHECK(b.world->shown.power == power_state::on);
}

TEST_CASE("a person's order for on voids a word from before it") {
  node_rig b{with_rehearsals(seconds{0})};
  take_away(b);
  b.world->power = power_state::unknown;
  b.boot();
  auto answer = b.say_off();
  REQUIRE(answer);
  INFO(answer->text);
  REQUIRE(answer->taken);
  REQUIRE(b.proved());
  b.facts.wish = {power_state::on, "bob", "fan is in", b.on.now(), {}};
  b.read();
  CHECK_FALSE(b.proved());
}

TEST_CASE("nonsense and a power record that disagrees are counted apart") {
  node_rig b{with_rehearsals(minutes{10})};
  b.facts.is_master = true; // no host HA in between
  b.world->power = power_state::unknown;
  b.boot();
  b.run_for(seconds{30});
  b.world->daemons = health::unhealthy;
  b.world->power = power_state::off; // seen once
  b.run_for(seconds{65});
  CHECK(b.disk->count("power-mismatch") == 0);
  b.run_for(seconds{65}); // and again
  CHECK(b.disk->count("power-mismatch") == 1);
  CHECK(b.disk->count("X.UNPROTECTED") == 0);
}

TEST_CASE("a power-off that is being recorded is no mismatch") {
  for (bool ordered : {true, false}) {
    node_rig b{with_rehearsals(minutes{1})};
    b.facts.is_master = true;
    b.world->daemons = health::unhealthy;
    b.world->power = power_state::off;
    if (ordered)
      b.world->wish = {power_state::off, "bob", "fan", b.on.now(), {}};
    b.boot();
    b.run_for(minutes{10});
    CHECK(b.disk->count("power-mismatch") == (ordered ? 0 : 1));
    b.run_for(minutes{10}); // it ought to be there by now
    CHECK(b.disk->count("power-mismatch") == 1);
  }
}

TEST_CASE("another node under the same name inherits nothing") {
  node_rig b{with_rehearsals(minutes{10})};
  take_away(b);
  b.world->daemons = health::healthy;
  b.world->wish = {power_state::off, "bob", "fan", b.on.now(), {}};
  b.boot();
  b.run_for(minutes{2});
  REQUIRE_FALSE(b.world->shown.doubt.empty());
  b.facts.record.uuid = "uuid-2";
  b.facts.record.offline = false;
  b.world->power = power_state::on;
  b.world->wish = {};
  b.world->answers = false; // nothing was read of it yet
  b.read();
  CHECK(b.world->shown.doubt.empty());
  CHECK_FALSE(b.proved());
  CHECK(b.world->shown.phase == ha_phase::available);
}

TEST_CASE("another node under the same name begins with no failed rehearsal") {
  node_rig b{with_rehearsals(minutes{10})};
  b.world->power = power_state::unknown;
  b.boot();
  b.run_for(seconds{15}); // one
  REQUIRE(b.world->readings == 1);
  b.facts.record.uuid = "uuid-2";
  b.run_for(seconds{20}); // the first of the other one
  REQUIRE(b.world->readings == 2);
  CHECK(b.disk->count("X.UNPROTECTED") == 0);
  b.run_for(seconds{75});
  CHECK(b.disk->count("X.UNPROTECTED") == 1);
}

TEST_CASE("a node that cannot be treated is looked at all the same and counts "
          "when it falls silent") {
  node_rig b{with_rehearsals(seconds{0})};
  SECTION("without power control") {
    b.facts.record.oob_program = "!";
  }
  SECTION("not vm_capable") {
    b.facts.record.vm_capable = false;
  }
  SECTION("our own node") {
    b.facts.is_self = true;
  }
  b.boot();
  b.run_for(seconds{30});
  REQUIRE(b.world->shown.phase == ha_phase::ineligible);
  CHECK(b.world->probes > 0);
  CHECK(b.world->shown.counted);
  CHECK_FALSE(b.world->shown.troubled);
  b.world->daemons = health::unhealthy;
  b.run_for(seconds{30});
  CHECK(b.world->shown.troubled);
  // Not having looked is no trouble, and no end of it either.
  b.world->daemons = health::unknown;
  b.run_for(seconds{30});
  CHECK(b.world->shown.troubled);
  b.world->daemons = health::healthy;
  b.run_for(seconds{30});
  CHECK_FALSE(b.world->shown.troubled);
}

TEST_CASE("a fence that gets no turn says nothing of its node's controller") {
  node_rig b{with_rehearsals(seconds{0})};
  b.boot();
  b.run_for(seconds{30});
  b.world->daemons = health::unhealthy;
  b.world->power = power_state::off;
  b.world->crowded = true;
  b.run_for(minutes{3});
  CHECK(b.world->put_off > 3);
  CHECK(b.world->shown.phase == ha_phase::fencing);
  b.world->crowded = false;
  b.run_for(minutes{3});
  CHECK(b.world->shown.phase == ha_phase::fenced);
}

TEST_CASE("an unknown health check of a node that cannot be treated is no "
          "trouble") {
  node_rig b{with_rehearsals(seconds{0})};
  b.facts.record.oob_program = "!";
  b.world->daemons = health::unknown;
  b.boot();
  b.run_for(minutes{2});
  CHECK(b.world->probes > 0);
  CHECK_FALSE(b.world->shown.troubled);
}

TEST_CASE("a node that is out of service, or that a person wants off, does not "
          "count") {
  node_rig b{with_rehearsals(seconds{0})};
  b.world->daemons = health::unhealthy;
  SECTION("marked offline") {
    b.facts.record.offline = true;
  }
  SECTION("recorded powered off") {
    b.facts.recorded_on = false;
  }
  SECTION("under an emergency power-off") {
    b.facts.held = "emergency power-off power-1";
  }
  SECTION("wanted off") {
    b.world->wish.wanted = power_state::off;
    b.world->wish.who = "ann";
    b.world->wish.at = b.on.now();
  }
  b.boot();
  b.run_for(minutes{2});
  CHECK_FALSE(b.world->shown.counted);
}

TEST_CASE("a node that answered since it was wanted off or held counts") {
  node_rig b{with_rehearsals(seconds{30})};
  b.boot();
  b.run_for(seconds{30});
  SECTION("held") {
    b.facts.held = "emergency power-off power-1";
  }
  SECTION("wanted off") {
    b.world->wish.wanted = power_state::off;
    b.world->wish.who = "ann";
    b.world->wish.at = b.on.now();
    b.facts.wish = b.world->wish;
  }
  b.run_for(minutes{2});
  CHECK(b.world->shown.phase == ha_phase::ineligible);
  CHECK(b.world->shown.counted);
  b.world->daemons = health::unhealthy;
  b.run_for(seconds{30});
  CHECK(b.world->shown.counted);
  CHECK(b.world->shown.troubled);
  // As long as an order will switch it off its silence is that order's.
  b.facts.leaving = true;
  b.run_for(seconds{30});
  CHECK_FALSE(b.world->shown.counted);
  b.facts.leaving = false;
  b.run_for(seconds{30});
  CHECK_FALSE(b.world->shown.counted);
}

} // namespace orderly::node_power_test
