// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/policy/trust/rig.hpp"

namespace orderly::trust_waiting_test {

using namespace orderly::trust;
using Catch::Matchers::Contains;

namespace {

/// Marked offline, somebody waits there, and nothing proves it off.
rig waiting() {
  rig b;
  b.stranded = {"web1", "web2"};
  b.offline();
  b.feed(proofs_due{});
  return b;
}

} // namespace

TEST_CASE("a proof by status is void when it was not read again in time") {
  rig b;
  b.offline().read(power_state::off).say(health::unhealthy).keep();
  b.after(minutes{5}).feed(proofs_due{});
  CHECK(b.s.seen_off);
  b.after(seconds{1}).feed(proofs_due{});
  CHECK_FALSE(b.s.seen_off);
}

TEST_CASE("so is the machine's, and a person hears while instances wait") {
  rig b;
  b.machine.phase = ha_phase::fenced;
  b.machine.maintenance = true;
  b.machine.proved_down = proof{"n1", proof_level::power_status, "", b.now};
  b.after(minutes{5}).feed(proofs_due{});
  CHECK(b.told<host_ha::proof_expired>() == nullptr);
  b.after(seconds{1}).feed(proofs_due{});
  REQUIRE(b.told<host_ha::proof_expired>() != nullptr);
  CHECK(b.find<look_what_is_left>() != nullptr);

  SECTION("nothing is left") {
    b.machine.proved_down.reset();
    b.feed(proof_dropped{});
    REQUIRE(b.rows("X.PROOF_LOST").size() == 1);
    CHECK_THAT(b.rows("X.PROOF_LOST").front().text,
               Contains("its instances wait"));
  }
  SECTION("a person's word has taken over") {
    b.machine.proved_down->level = proof_level::operator_word;
    b.feed(proof_dropped{});
    CHECK(b.did.empty());
  }
}

TEST_CASE("a person's word is not renewed by readings and lasts longer") {
  rig b;
  b.machine.phase = ha_phase::fenced;
  b.machine.proved_down = proof{"n1", proof_level::operator_word, "", b.now};
  b.after(hours{20}).feed(proofs_due{});
  CHECK(b.told<host_ha::proof_expired>() == nullptr);
}

TEST_CASE("whoever waits for a proof is told of after five minutes, and once") {
  auto b = waiting();
  b.after(minutes{4}).feed(proofs_due{});
  CHECK(b.find<ask_daemons>() == nullptr);
  b.after(minutes{1}).feed(proofs_due{});
  b.say(health::unhealthy);
  REQUIRE(b.rows("X.PROOF_LOST").size() == 1);
  CHECK_THAT(b.rows("X.PROOF_LOST").front().text,
             Contains("web1, web2 wait there")
               && Contains("confirm-off n1 --reason TEXT"));
  for (auto i = 0; i < 3; ++i) {
    b.after(minutes{5}).feed(proofs_due{}).say(health::unhealthy);
    CHECK(b.rows("X.PROOF_LOST").empty());
  }
}

TEST_CASE("a person is told the switch without which no word is taken") {
  auto b = waiting();
  b.machine.phase = ha_phase::disabled;
  b.machine.reason = "disabled for it by root";
  b.after(minutes{5}).feed(proofs_due{}).say(health::unhealthy);
  REQUIRE(b.rows("X.PROOF_LOST").size() == 1);
  CHECK_THAT(b.rows("X.PROOF_LOST").front().text,
             Contains("(disabled for it by root): orderly ha enable n1; and")
               && Contains("confirm-off n1 --reason TEXT"));
}

TEST_CASE("whoever was told hears when that is otherwise, if it lasts") {
  auto b = waiting();
  b.after(minutes{5}).feed(proofs_due{}).say(health::unhealthy);
  REQUIRE(b.rows("X.PROOF_LOST").size() == 1);
  b.after(minutes{5}).feed(proofs_due{}).say(health::healthy);
  CHECK(b.rows("X.PROOF_LOST").empty());
  b.after(minutes{5}).feed(proofs_due{}).say(health::healthy);
  REQUIRE(b.rows("X.PROOF_LOST").size() == 1);
  CHECK_THAT(b.rows("X.PROOF_LOST").front().text,
             Contains("marked offline and answers"));
}

TEST_CASE("a look that means nothing is told only if it lasts") {
  auto b = waiting();
  b.alone = true;
  b.after(minutes{5}).feed(proofs_due{}).say(health::not_looked);
  CHECK(b.rows("X.PROOF_LOST").empty());
  b.after(minutes{5}).feed(proofs_due{}).say(health::not_looked);
  REQUIRE(b.rows("X.PROOF_LOST").size() == 1);
  CHECK_THAT(b.rows("X.PROOF_LOST").front().text, Contains("--ignore-silence"));
}

TEST_CASE("power that reads on is told as what it is") {
  auto b = waiting();
  b.read(power_state::on);
  b.after(minutes{5}).feed(proofs_due{}).say(health::unhealthy);
  REQUIRE(b.rows("X.PROOF_LOST").size() == 1);
  CHECK_THAT(b.rows("X.PROOF_LOST").front().text,
             Contains("its power reads on") && Contains("orderly power off"));
}

TEST_CASE("what a liar is known for is told anew when it falls silent") {
  auto b = waiting();
  b.s.doubted = {"/usr/lib/oob"};
  b.s.heard_at = b.now;
  b.after(minutes{4}).feed(proofs_due{});
  CHECK(b.s.unproved_since == never);
  b.after(minutes{2}).feed(proofs_due{});
  CHECK(b.find<ask_daemons>() == nullptr);
  b.after(minutes{5}).feed(proofs_due{}).say(health::unhealthy);
  REQUIRE(b.rows("X.PROOF_LOST").size() == 1);
  CHECK_THAT(b.rows("X.PROOF_LOST").front().text, Contains("confirm-off"));
}

TEST_CASE("the answer to an older wait tells nothing") {
  auto b = waiting();
  b.after(minutes{5}).feed(proofs_due{});
  auto said = b.find<ask_daemons>()->question;
  said.seen = b.sight(health::unhealthy);
  b.after(minutes{5}).feed(proofs_due{});
  b.feed(said);
  CHECK(b.rows("X.PROOF_LOST").empty());
}

TEST_CASE("nobody is told of what has another alert, or waits for nobody") {
  auto b = waiting();
  b.after(minutes{5});
  SECTION("its instances left") {
    b.stranded.clear();
  }
  SECTION("a liar was told of, and it lives") {
    b.s.doubted = {"/usr/lib/oob"};
    b.s.heard_at = b.now;
  }
  SECTION("a person works on it") {
    b.around.held = "power-1 of root";
  }
  SECTION("it is proved off") {
    b.s.seen_off = proof{"n1", proof_level::power_status, "", b.now};
  }
  b.feed(proofs_due{});
  CHECK(b.find<ask_daemons>() == nullptr);
  CHECK(b.s.unproved_since == never);
}

namespace {

/// Its power reads off, the look beside that finds so much, and it lapses.
void read_off_and_lapse(rig& b, health found) {
  b.machine.proved_down = proof{"n1", proof_level::power_status, "", b.now};
  b.read(power_state::off).say(found);
  b.machine.proved_down.reset();
  b.feed(proof_dropped{});
  REQUIRE(b.rows("X.PROOF_LOST").size() == 1);
}

} // namespace

TEST_CASE("why a fenced node's proof is lost names what can be done about it") {
  rig b;
  b.machine.phase = ha_phase::fenced;
  b.machine.maintenance = true;
  b.stranded = {"web1"};
  SECTION("its controller is silent") {
    b.s.power = power_state::unknown;
    b.feed(proof_dropped{});
    REQUIRE(b.rows("X.PROOF_LOST").size() == 1);
    CHECK_THAT(b.rows("X.PROOF_LOST").front().text,
               Contains("its controller does not answer")
                 && !Contains("--ignore-silence"));
  }
  SECTION("it has no power control any more") {
    b.s.power = power_state::off;
    b.s.beside_off = last_look::nothing;
    b.around.has_program = false;
    b.feed(proof_dropped{});
    REQUIRE(b.rows("X.PROOF_LOST").size() == 1);
    CHECK_THAT(b.rows("X.PROOF_LOST").front().text,
               Contains("nobody reads its power any more")
                 && !Contains("--ignore-silence"));
  }
  SECTION("its controller answers, but not in time") {
    read_off_and_lapse(b, health::unhealthy);
    CHECK_THAT(b.rows("X.PROOF_LOST").front().text,
               Contains("longer than autorepair.proof_max_age (300 s)")
                 && !Contains("--ignore-silence"));
  }
  SECTION("its controller answers, and nobody vouches for a look") {
    b.alone = true;
    read_off_and_lapse(b, health::not_looked);
    CHECK_THAT(b.rows("X.PROOF_LOST").front().text,
               Contains("nobody else answers") && Contains("--ignore-silence"));
  }
  SECTION("its controller answers, and we did not come to look") {
    read_off_and_lapse(b, health::not_looked);
    CHECK_THAT(b.rows("X.PROOF_LOST").front().text,
               Contains("its daemons were not asked")
                 && !Contains("--ignore-silence"));
  }
  SECTION("it comes and goes: once an hour") {
    b.s.power = power_state::unknown;
    b.feed(proof_dropped{});
    CHECK(b.rows("X.PROOF_LOST").size() == 1);
    b.after(minutes{59}).feed(proof_dropped{});
    CHECK(b.rows("X.PROOF_LOST").empty());
    b.s.asked_in_vain = true; // for another reason
    b.feed(proof_dropped{});
    CHECK(b.rows("X.PROOF_LOST").size() == 1);
    b.after(hours{1}).feed(proof_dropped{});
    CHECK(b.rows("X.PROOF_LOST").size() == 1);
  }
  SECTION("we could not ask") {
    b.s.power = power_state::unknown;
    b.s.asked_in_vain = true;
    b.feed(proof_dropped{});
    REQUIRE(b.rows("X.PROOF_LOST").size() == 1);
    CHECK_THAT(b.rows("X.PROOF_LOST").front().text,
               Contains("our own power switch was too busy"));
  }
  SECTION("a person works on it") {
    b.around.held = "power-1 of root";
    b.feed(proof_dropped{});
    CHECK(b.rows("X.PROOF_LOST").empty());
  }
}

} // namespace orderly::trust_waiting_test
