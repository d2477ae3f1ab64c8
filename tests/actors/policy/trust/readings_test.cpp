// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/policy/trust/rig.hpp"

namespace orderly::trust_readings_test {

using namespace orderly::trust;

TEST_CASE("an offline node is proved off by a reading, silence and the disk") {
  rig b;
  b.offline().read(power_state::off);
  CHECK_FALSE(b.s.asked);
  b.say(health::unhealthy);
  CHECK_FALSE(b.s.seen_off);
  REQUIRE(b.find<write_proof>() != nullptr);
  CHECK(b.find<write_proof>()->kind == entry_kind::outcome);
  b.keep();
  REQUIRE(b.s.seen_off);
  CHECK(b.s.seen_off->at == b.now);
  CHECK(b.s.asked);
}

TEST_CASE("off beside life is no proof of an offline node") {
  for (auto verdict : {health::healthy, health::unhealthy}) {
    rig b;
    b.offline().read(power_state::off);
    b.say(verdict, true);
    CHECK(b.find<write_proof>() == nullptr);
    CHECK_FALSE(b.s.doubted.empty());
  }
}

TEST_CASE("what read on before it was recorded off is over") {
  rig b;
  b.read(power_state::on);
  REQUIRE(b.s.power == power_state::on);
  b.after(minutes{3});
  b.around.recorded_on = false;
  b.feed(recorded_off{});
  CHECK(b.s.power == power_state::unknown);
  CHECK(b.s.power_since == b.now);
  b.read(power_state::on);
  CHECK(b.s.power == power_state::on); // read since: the record is wrong
}

TEST_CASE("whom nobody asked is not silent") {
  for (auto verdict : {health::unknown, health::not_looked}) {
    rig b;
    b.offline().read(power_state::off).say(verdict);
    CHECK(b.find<write_proof>() == nullptr);
    CHECK(b.s.doubted.empty());
  }
}

TEST_CASE("a proof that is renewed is news once a shift") {
  rig b;
  b.offline().read(power_state::off).say(health::unhealthy).keep();
  b.after(minutes{1}).read(power_state::off).say(health::unhealthy);
  CHECK(b.find<write_proof>() == nullptr);
  CHECK(b.s.seen_off->at == b.now);
  b.after(hours{9}).read(power_state::off).say(health::unhealthy);
  REQUIRE(b.find<write_proof>() != nullptr);
  CHECK(b.find<write_proof>()->kind == entry_kind::note);
}

TEST_CASE("what was written down counts only if it still holds") {
  rig b;
  b.offline().read(power_state::off).say(health::unhealthy);
  auto found = b.find<write_proof>()->found;
  b.after(seconds{1});

  SECTION("it answered meanwhile") {
    b.hear(health::unhealthy, true);
  }
  SECTION("its power read on") {
    b.read(power_state::on);
  }
  SECTION("somebody ordered it on") {
    b.feed(ordered_on{b.now, "root ordered it on"});
  }
  SECTION("it was returned to service") {
    b.around.offline = false;
    b.feed(in_service{});
  }
  SECTION("its controller was found to lie") {
    b.feed(fence_denied{b.report(power_state::off)});
  }
  SECTION("it is treated") {
    b.machine.phase = ha_phase::suspect;
  }
  b.feed(proof_is_kept{found});
  CHECK_FALSE(b.s.seen_off);
}

TEST_CASE("a proof falls with whatever contradicts it") {
  rig b;
  b.offline().read(power_state::off).say(health::unhealthy).keep();
  REQUIRE(b.s.seen_off);
  b.after(seconds{1});

  SECTION("on") {
    b.read(power_state::on);
  }
  SECTION("an order") {
    b.feed(raised{b.now});
  }
  SECTION("service") {
    b.feed(in_service{});
  }
  SECTION("nothing is read, and it answers") {
    b.read(power_state::unknown).say(health::unhealthy, true);
  }
  SECTION("off is read, and it answers") {
    b.read(power_state::off).say(health::healthy);
  }
  CHECK_FALSE(b.s.seen_off);
}

TEST_CASE("while nothing is read a proof stays that nothing contradicts") {
  rig b;
  b.offline().read(power_state::off).say(health::unhealthy).keep();
  b.after(seconds{1}).read(power_state::unknown).say(health::unhealthy);
  CHECK(b.s.seen_off);
}

TEST_CASE("an order on voids what was read before it, not after") {
  rig b;
  b.offline().read(power_state::off).say(health::unhealthy).keep();
  b.feed(ordered_on{b.now - seconds{1}, "root ordered it on"});
  CHECK(b.s.seen_off);
  REQUIRE(b.told<host_ha::ordered_on>() != nullptr);
  CHECK_FALSE(b.told<host_ha::ordered_on>()->boots);
  b.feed(ordered_on{b.now - seconds{1}, "root ordered it on"});
  CHECK(b.did.empty());
}

TEST_CASE("the machine hears of each boot once") {
  rig b;
  auto count = [&] {
    auto n = 0;
    for (const auto& x : b.did)
      if (const auto* what = std::get_if<tell_machine>(&x))
        if (const auto* on = std::get_if<host_ha::ordered_on>(&what->what))
          n += on->boots ? 1 : 0;
    return n;
  };
  b.feed(raised{b.now});
  CHECK(count() == 1);
  b.feed(raised{b.now});
  CHECK(count() == 0);
}

TEST_CASE("of whom neighbours see at work, and of who was returned and is "
          "silent, only a boot is noticed") {
  rig b;
  b.s.unheard_since = b.now;
  b.machine.phase = GENERATE(ha_phase::degraded, ha_phase::fenced);
  b.machine.since = b.now + seconds{1};
  b.after(minutes{1}).read(power_state::off);
  CHECK(b.told<host_ha::power_seen>() == nullptr);
  CHECK(b.told<host_ha::ordered_on>() == nullptr);
  b.after(minutes{1}).read(power_state::on);
  CHECK(b.told<host_ha::power_seen>() == nullptr);
  REQUIRE(b.told<host_ha::ordered_on>() != nullptr);
  CHECK(b.told<host_ha::ordered_on>()->boots);
  CHECK(b.told<host_ha::ordered_on>()->read);
}

TEST_CASE("a fenced node's off is told only beside its silence") {
  rig b;
  b.machine.phase = ha_phase::fenced;
  b.machine.maintenance = true;
  b.read(power_state::off);
  CHECK(b.told<host_ha::power_seen>() == nullptr);
  b.say(health::unhealthy);
  REQUIRE(b.told<host_ha::power_seen>() != nullptr);
  CHECK(b.told<host_ha::power_seen>()->power == power_state::off);
}

TEST_CASE("off from before an order on is unknown to a fenced node") {
  rig b;
  b.machine.phase = ha_phase::fenced;
  b.machine.maintenance = true;
  auto old = b.report(power_state::off);
  b.after(seconds{1}).feed(ordered_on{b.now, "root ordered it on"});
  b.feed(power_read{old}).say(health::unhealthy);
  REQUIRE(b.told<host_ha::power_seen>() != nullptr);
  CHECK(b.told<host_ha::power_seen>()->power == power_state::unknown);
}

TEST_CASE("who answered a moment ago is asked before its off is believed") {
  rig b;
  b.machine.phase = ha_phase::suspect;
  b.hear(health::unhealthy, true).read(power_state::off);
  REQUIRE(b.find<ask_daemons>() != nullptr);

  SECTION("it answers: the reading means nothing") {
    b.say(health::unhealthy, true);
    REQUIRE(b.told<host_ha::power_seen>() != nullptr);
    CHECK(b.told<host_ha::power_seen>()->power == power_state::unknown);
    CHECK_FALSE(b.s.doubted.empty());
  }
  SECTION("it has lost its power since") {
    b.say(health::unhealthy);
    CHECK(b.told<host_ha::power_seen>()->power == power_state::off);
    CHECK(b.s.doubted.empty());
  }
}

TEST_CASE("an off that a person wants is somebody's command") {
  rig b;
  b.machine.phase = ha_phase::suspect;
  auto report = b.report(power_state::off);
  report.wish = {power_state::off, "root", "", b.now, {}};
  b.feed(power_read{report});
  REQUIRE(b.told<host_ha::power_seen>() != nullptr);
  CHECK(b.told<host_ha::power_seen>()->commanded);
  CHECK(b.find<judge>() != nullptr);
  CHECK(b.is().wished_off() == "root wants it off");
  b.machine.maintenance = true;
  CHECK(b.is().wished_off().empty());
}

TEST_CASE("an order makes what was read otherwise old, and it is read soon") {
  rig b;
  b.read(power_state::on);
  b.s.read_at = b.now;
  b.feed(wish_recorded{{power_state::off, "root", "", b.now, {}}});
  CHECK(b.s.power == power_state::unknown);
  b.s.wish = {power_state::off, "root", "", b.now, {}};
  CHECK_FALSE(b.is().wants_reading(b.now));
  CHECK(b.is().wants_reading(b.now + seconds{15}));
}

TEST_CASE("a wish for off ends with a later one for on") {
  rig b;
  b.feed(wish_heard{{power_state::off, "root", "", b.now, {}}});
  CHECK_FALSE(b.is().closed().empty());
  b.after(seconds{1});
  b.feed(wish_recorded{{power_state::on, "root", "", b.now, {}}});
  CHECK(b.is().closed().empty());
  CHECK(b.is().is_raised_since(b.now - seconds{1}));
}

TEST_CASE("what others read of its power counts as if it had asked itself") {
  rig b;
  b.offline().read(power_state::off).say(health::unhealthy).keep();
  REQUIRE(b.s.seen_off);

  SECTION("on ends a proof") {
    b.feed(power_overheard{b.report(power_state::on)});
    CHECK_FALSE(b.s.seen_off);
    CHECK(b.find<publish>() != nullptr);
  }
  SECTION("on ends that of a fence") {
    b.machine.phase = ha_phase::fenced;
    b.feed(power_overheard{b.report(power_state::on)});
    REQUIRE(b.told<host_ha::power_seen>() != nullptr);
    CHECK(b.told<host_ha::power_seen>()->power == power_state::on);
  }
  SECTION("off proves nothing anew") {
    b.feed(power_overheard{b.report(power_state::off)});
    CHECK(b.find<write_proof>() == nullptr);
  }
}

TEST_CASE("off that others read beside daemons that answer is a lie") {
  rig b;
  b.hear(health::healthy);
  b.feed(power_overheard{b.report(power_state::off)});
  REQUIRE(b.find<ask_daemons>() != nullptr);

  SECTION("they answer still") {
    b.say(health::healthy);
    CHECK(b.s.doubted == std::set<std::string>{"/usr/lib/oob"});
  }
  SECTION("it was switched off just now") {
    b.say(health::unhealthy);
    CHECK(b.s.doubted.empty());
  }
}

TEST_CASE("a proof is renewed three times before it is too old, and at most "
          "each minute") {
  rig b;
  b.offline();
  b.s.read_at = b.now;
  auto pause = millis{minutes{1}};
  SECTION("it is good for long") {
    b.r.proof_max_age = hours{1};
  }
  SECTION("it is good for a minute") {
    b.r.proof_max_age = minutes{1};
    pause = seconds{20};
  }
  CHECK_FALSE(b.is().wants_reading(b.now + pause - millis{1}));
  CHECK(b.is().wants_reading(b.now + pause));
}

} // namespace orderly::trust_readings_test
