// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/policy/host_ha/rig.hpp"

namespace orderly::host_ha::host_ha_treatment_test {

TEST_CASE("a failed window asks first and resets only with the permit") {
  rig b;
  b.failed_window();
  CHECK(b.s.phase == ha_phase::checking);
  CHECK(b.s.wants == act_kind::reset);
  CHECK(b.has<ask_permit>());
  CHECK_FALSE(b.has<reset_power>());
  b.grant(act_kind::reset);
  CHECK(b.s.phase == ha_phase::recovering);
  CHECK(b.s.recoveries == 1);
  CHECK(b.has<reset_power>());
  CHECK(b.told("A.RECOVERING"));
}

TEST_CASE("a held reset on activity evidence ends Degraded and says why") {
  rig b;
  b.failed_window().hold(act_kind::reset, "storm: 4 of 5 nodes", true);
  CHECK(b.s.phase == ha_phase::degraded);
  CHECK(b.s.held == "storm: 4 of 5 nodes");
  CHECK(b.s.due == b.now + seconds{300});
  CHECK(b.told("X.GUARD_HELD"));
  CHECK(b.why.find("storm: 4 of 5 nodes") != std::string::npos);
  CHECK(b.s.recoveries == 0);
  b.due();
  CHECK(b.s.phase == ha_phase::suspect);
  CHECK(b.s.checks == 0);
  CHECK(b.s.held.empty());
}

TEST_CASE("Degraded by a guard has a name of its own") {
  rig b;
  b.failed_window();
  auto from = b.s;
  permit_answered held{act_kind::reset, false, "storm", b.now, true};
  b.feed(held);
  CHECK(name_of_transition(from, held, b.s) == std::string{"MassFailureGuard"});
  rig other;
  other.r.activity_checks = 1;
  other.health_fails().due();
  from = other.s;
  activity_seen active{activity::active, "disk"};
  other.feed(active);
  CHECK(name_of_transition(from, active, other.s)
        == std::string{"ActivityCheckFailureUnderThresholdRatio"});
}

TEST_CASE("power off that nobody commanded asks for the fence at once") {
  rig b;
  b.health_fails().power(power_state::off);
  CHECK(b.s.phase == ha_phase::suspect);
  CHECK(b.s.wants == act_kind::fence);
  b.grant(act_kind::fence);
  CHECK(b.s.phase == ha_phase::fencing);
  REQUIRE(b.did.size() == 2);
  CHECK(std::holds_alternative<enter_maintenance>(b.did[0]));
  CHECK(std::holds_alternative<fence_power>(b.did[1]));
  CHECK(b.s.maintenance);
}

TEST_CASE("a held fence that could go now reads the power first, before its "
          "time has come") {
  rig b;
  b.health_fails().power(power_state::off).hold(act_kind::fence, "budget");
  b.feed(permit_called{});
  CHECK(b.now < b.s.since + seconds{5});
  CHECK(b.has<read_power>());
  CHECK_FALSE(b.has<ask_permit>());
  b.feed(permit_called{}); // a second call changes nothing
  CHECK(b.did.empty());
  b.power(power_state::off);
  CHECK(b.has<ask_permit>());
}

TEST_CASE("who waits for no permit hears no call") {
  rig b;
  b.health_fails().power(power_state::on);
  auto before = b.s;
  b.feed(permit_called{});
  CHECK(b.s == before);
  CHECK(b.did.empty());
}

TEST_CASE("a held fence reads the power again before it asks again") {
  rig b;
  b.health_fails().power(power_state::off).hold(act_kind::fence, "budget");
  CHECK(b.s.phase == ha_phase::suspect);
  CHECK(b.s.held == "budget");
  CHECK(b.s.due == b.now + seconds{5});
  b.due();
  CHECK(b.has<read_power>());
  CHECK_FALSE(b.has<ask_permit>());
  SECTION("still off: asks") {
    b.power(power_state::off);
    CHECK(b.has<ask_permit>());
    CHECK(b.grant(act_kind::fence).s.phase == ha_phase::fencing);
  }
  SECTION("on again: no fence, and it may boot") {
    b.power(power_state::on);
    CHECK_FALSE(b.s.wants);
    CHECK(b.has<give_back_permit>());
    CHECK(b.s.phase == ha_phase::recovered);
  }
  SECTION("no longer known: no fence either") {
    b.power(power_state::unknown);
    CHECK_FALSE(b.s.wants);
  }
  SECTION("a permit from before the reading is given back") {
    b.grant(act_kind::fence);
    CHECK(b.s.phase == ha_phase::suspect);
    CHECK(b.has<give_back_permit>());
  }
}

TEST_CASE("power seen on during a held fence of a checking node") {
  rig b;
  b.health_fails().due();
  REQUIRE(b.s.phase == ha_phase::checking);
  b.power(power_state::off).power(power_state::on);
  // Somebody switched it on, and it may boot.
  CHECK(b.s.phase == ha_phase::recovered);
  CHECK(b.s.checks == 0);
  CHECK_FALSE(b.s.wants);
}

TEST_CASE("power off found while a reset is asked for makes it a fence") {
  rig b;
  b.failed_window().power(power_state::off);
  CHECK(b.s.wants == act_kind::fence);
  CHECK(b.has<give_back_permit>());
  // The reset that was granted meanwhile is not used.
  b.grant(act_kind::reset);
  CHECK(b.s.phase == ha_phase::checking);
  CHECK(b.has<ask_permit>());
  CHECK_FALSE(b.has<reset_power>());
}

TEST_CASE("each try of a reset needs its own permit") {
  rig b;
  b.r.recovery_attempts_max = 2;
  b.failed_window().grant(act_kind::reset);
  b.feed(recovery_ended{false, "helper failed"});
  CHECK(b.has<give_back_permit>());
  CHECK(b.s.due == b.now + seconds{10});
  b.due();
  CHECK(b.has<ask_permit>());
  CHECK_FALSE(b.has<reset_power>());
  b.grant(act_kind::reset);
  CHECK(b.has<reset_power>());
  CHECK(b.s.recoveries == 2);
  b.feed(recovery_ended{false, "helper failed"});
  CHECK(b.s.wants == act_kind::fence);
  b.hold(act_kind::fence, "pause");
  CHECK(b.s.phase == ha_phase::recovering);
  b.grant(act_kind::fence).feed(fence_ended{true, "status off", b.now});
  CHECK(b.told("A.FENCED_RECOVERY_FAILED"));
}

TEST_CASE("a node that works while its fence is held is not fenced") {
  rig b;
  b.failed_window().grant(act_kind::reset);
  b.health_passes();
  CHECK(b.s.phase == ha_phase::recovering);
  b.feed(recovery_ended{false, "timed out"}).hold(act_kind::fence, "pause");
  b.health_passes();
  CHECK(b.s.phase == ha_phase::recovered);
  CHECK(b.has<give_back_permit>());
}

TEST_CASE("a failed reset of an ineligible node goes no further") {
  rig b;
  b.failed_window().grant(act_kind::reset);
  b.feed(eligibility{false, "marked offline"});
  CHECK(b.s.phase == ha_phase::recovering);
  b.feed(recovery_ended{false, "helper failed"});
  CHECK(b.s.phase == ha_phase::ineligible);
  CHECK(b.s.reason.find("marked offline") != std::string::npos);
  CHECK(b.has<give_back_permit>());
}

TEST_CASE("the recovery wait ends with the last health verdict") {
  rig b;
  b.failed_window().grant(act_kind::reset);
  b.feed(recovery_ended{true, "status on"});
  REQUIRE(b.s.phase == ha_phase::recovered);
  CHECK(b.s.due == b.now + seconds{600});
  b.power(power_state::off).health_fails();
  CHECK(b.s.phase == ha_phase::recovered);
  SECTION("healthy") {
    b.health_passes().due();
    CHECK(b.s.phase == ha_phase::available);
    CHECK(b.s.recoveries == 0);
    CHECK(b.told("E.RECOVERED"));
  }
  SECTION("unhealthy with no attempt left asks for the fence") {
    b.due();
    CHECK(b.s.phase == ha_phase::suspect);
    CHECK(b.s.wants == act_kind::fence);
    // Held, it stays and asks again.
    b.hold(act_kind::fence, "pause").due();
    CHECK(b.s.phase == ha_phase::suspect);
    CHECK(b.has<ask_permit>());
  }
  SECTION("ineligible") {
    b.feed(eligibility{false, "marked offline"}).due();
    CHECK(b.s.phase == ha_phase::ineligible);
  }
}

TEST_CASE("silence after a reset is no evidence for a fence") {
  rig b;
  b.failed_window().grant(act_kind::reset);
  b.feed(recovery_ended{true, "status on"}).due();
  CHECK(b.s.phase == ha_phase::suspect);
  CHECK_FALSE(b.s.wants);
  b.health_fails();
  CHECK(b.s.wants == act_kind::fence);
}

TEST_CASE("with no resets allowed the window still comes before the fence") {
  rig b;
  b.r.recovery_attempts_max = 0;
  b.health_fails();
  CHECK_FALSE(b.s.wants);
  b.sample(activity::inactive).sample(activity::inactive);
  CHECK_FALSE(b.s.wants);
  b.sample(activity::inactive);
  CHECK(b.s.wants == act_kind::fence);
}

TEST_CASE("who came on right before its fence has the time of a boot") {
  rig b;
  b.health_fails().power(power_state::off).grant(act_kind::fence);
  fence_ended held{false, "it is on by now", b.now};
  held.held = true;
  held.read = power_state::on;
  held.came_on = true;
  b.feed(held);
  CHECK(b.s.phase == ha_phase::recovered);
  CHECK(b.s.due == b.now + usual.recovery_wait);
  CHECK(b.has<give_back_permit>());
}

TEST_CASE("a fence is done only when a reading confirmed it") {
  rig b;
  b.health_fails().power(power_state::off).grant(act_kind::fence);
  b.feed(fence_ended{false, "status unknown", b.now});
  CHECK(b.s.phase == ha_phase::fencing);
  CHECK_FALSE(b.has<release_instances>());
  CHECK(b.told("X.FENCE_STUCK"));
  b.due().feed(fence_ended{false, "status on", b.now});
  CHECK_FALSE(b.told("X.FENCE_STUCK"));
  CHECK(b.told("X.FENCE_FAILED"));
  b.due().feed(fence_ended{true, "status off, read 12:00:03", b.now});
  CHECK(b.s.phase == ha_phase::fenced);
  REQUIRE(b.s.proved_down);
  CHECK(b.s.proved_down->node == "n1");
  CHECK(b.s.proved_down->level == proof_level::power_status);
  CHECK(b.s.proved_down->text == "status off, read 12:00:03");
  CHECK(b.s.proved_down->at == b.now);
  CHECK(b.has<release_instances>());
  CHECK(b.has<give_back_permit>());
  CHECK(b.told("X.FENCED_POWER_OFF"));
}

TEST_CASE("an act that nobody sees a ground for any more is judged anew") {
  rig b;
  b.failed_window().grant(act_kind::reset);
  recovery_ended blind;
  blind.held = true;
  blind.unseen = GENERATE(true, false);
  auto ended = 0;
  for (auto i = 0; i < 20 && b.s.phase == ha_phase::recovering; ++i) {
    b.feed(blind);
    if (b.s.phase == ha_phase::recovering)
      b.due().grant(act_kind::reset);
    ++ended;
  }
  // What the window found is good for three minutes.
  CHECK(b.s.phase == (blind.unseen ? ha_phase::suspect : ha_phase::recovering));
  CHECK(ended > 1);
}

TEST_CASE("a power that cannot be read for the fence is no ground for ever") {
  rig b;
  b.health_fails();
  for (auto i = 0; i < 3; ++i) {
    b.power(power_state::off);
    REQUIRE(b.s.wants == act_kind::fence);
    b.grant(act_kind::fence);
    fence_ended mute;
    mute.held = mute.unread = true;
    b.feed(mute);
    REQUIRE(b.s.phase == ha_phase::suspect);
  }
  b.power(power_state::off);
  CHECK_FALSE(b.s.wants);
  // When it has been well, its controller is believed once more.
  b.health_passes().health_fails().power(power_state::off);
  CHECK(b.s.wants == act_kind::fence);
}

TEST_CASE("a fence without an answer is done again") {
  rig b;
  b.health_fails().power(power_state::off).grant(act_kind::fence);
  b.due();
  CHECK_FALSE(b.s.fence_dispatched);
  b.due();
  CHECK(b.has<fence_power>());
}

TEST_CASE("ineligibility never stops a fence") {
  rig b;
  b.health_fails().power(power_state::off).grant(act_kind::fence);
  b.feed(eligibility{false, "no neighbour"});
  CHECK(b.s.phase == ha_phase::fencing);
  b.feed(fence_ended{true, "off", b.now}).feed(eligibility{false, "x"});
  CHECK(b.s.phase == ha_phase::fenced);
}

TEST_CASE("a fenced node that answers is proof of nothing until read again") {
  rig b;
  b.fenced().health_passes();
  CHECK(b.s.phase == ha_phase::fenced);
  CHECK_FALSE(b.s.proved_down);
  CHECK(b.has<read_power>());
  CHECK(b.told("X.FENCED_HEALTHY_IN_MAINTENANCE"));
  b.power(power_state::off);
  CHECK(b.s.proved_down);
  b.health_passes();
  CHECK_FALSE(b.told("X.FENCED_HEALTHY_IN_MAINTENANCE"));
  b.power(power_state::on);
  CHECK_FALSE(b.s.proved_down);
}

TEST_CASE("power seen on makes the proof of a fenced node void") {
  rig b;
  b.fenced().power(power_state::unknown);
  CHECK(b.s.proved_down);
  b.power(power_state::on);
  CHECK_FALSE(b.s.proved_down);
  CHECK_FALSE(b.why.empty());
}

TEST_CASE("a returned node comes back over Ineligible after a passing check") {
  rig b;
  b.fenced().feed(returned{});
  CHECK(b.s.phase == ha_phase::fenced);
  CHECK_FALSE(b.s.proved_down);
  b.power(power_state::off);
  CHECK_FALSE(b.s.proved_down);
  b.health_passes();
  CHECK(b.s.phase == ha_phase::ineligible);
  b.feed(eligibility{true, ""});
  CHECK(b.s.phase == ha_phase::available);
  CHECK(b.s.recoveries == 0);
  CHECK(b.s.incident.empty());
}

TEST_CASE("a permit that is not needed any more goes back") {
  rig b;
  SECTION("the node answers while its reset is asked for") {
    b.failed_window().health_passes();
    CHECK(b.has<give_back_permit>());
    // The answer that was on its way.
    CHECK(b.grant(act_kind::reset).has<give_back_permit>());
  }
  SECTION("it is granted after too long a wait") {
    b.failed_window();
    b.now += minutes{10};
    CHECK(b.grant(act_kind::reset).has<give_back_permit>());
  }
  SECTION("its power is on again before its fence") {
    b.health_fails().power(power_state::off).power(power_state::on);
    CHECK(b.has<give_back_permit>());
  }
  SECTION("a person switches host HA off before its fence") {
    b.health_fails().power(power_state::off).feed(disabled{});
    CHECK(b.has<give_back_permit>());
  }
  SECTION("another node was master meanwhile, and nothing was sent") {
    b.failed_window().grant(act_kind::reset);
    b.feed(recovery_ended{false, "not sent", true, true});
    CHECK(b.has<give_back_permit>());
  }
}

} // namespace orderly::host_ha::host_ha_treatment_test
