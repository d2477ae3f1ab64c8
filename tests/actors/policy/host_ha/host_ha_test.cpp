// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/codes.hpp"
#include "tests/actors/policy/host_ha/rig.hpp"

namespace orderly::host_ha::host_ha_test {

TEST_CASE("the sentence of a transition names phase and evidence") {
  rig b;
  b.health_fails();
  CHECK(b.why == "suspect: health check failed, 1811 refused");
  CHECK(b.s.reason == "health check failed, 1811 refused");
  CHECK(b.s.incident == "n-n1-" + std::to_string(to_ms(t0)));
  CHECK(b.s.suspect_since == t0);
  CHECK(b.has<read_power>());
}

TEST_CASE("further failed health checks change nothing about a suspect") {
  rig b;
  b.health_fails();
  auto before = b.s;
  b.now += seconds{3};
  b.health_fails();
  CHECK(b.s == before);
  CHECK(b.why.empty());
  CHECK(b.did.empty());
}

TEST_CASE("an unknown health check is no news") {
  rig b;
  b.feed(health_seen{health::unknown, "not admitted"});
  CHECK(b.s == state{});
}

TEST_CASE("the guard is reported once an incident and only for storms") {
  rig b;
  b.health_fails().power(power_state::off).hold(act_kind::fence, "paused");
  CHECK_FALSE(b.told("X.GUARD_HELD"));
  b.hold(act_kind::fence, "storm", true);
  CHECK(b.told("X.GUARD_HELD"));
  b.hold(act_kind::fence, "storm, still", true);
  CHECK_FALSE(b.told("X.GUARD_HELD"));
  b.health_passes().health_fails().power(power_state::off);
  b.hold(act_kind::fence, "storm", true);
  CHECK(b.told("X.GUARD_HELD"));
}

TEST_CASE("commanded, unknown or present power is no evidence") {
  rig b;
  b.health_fails();
  b.power(power_state::off, true);
  CHECK_FALSE(b.s.wants);
  b.power(power_state::unknown);
  CHECK_FALSE(b.s.wants);
  CHECK(b.s.phase == ha_phase::suspect);
  rig on;
  on.health_fails();
  on.power(power_state::on);
  CHECK_FALSE(on.s.wants);
  CHECK(on.s.phase == ha_phase::suspect);
}

TEST_CASE("what was off and is on boots, also if its controller was silent") {
  rig b;
  b.health_fails();
  b.power(power_state::off);
  CHECK(b.s.wants == act_kind::fence);
  b.power(power_state::unknown);
  CHECK_FALSE(b.s.wants);
  b.power(power_state::on);
  CHECK(b.s.phase == ha_phase::recovered);
}

TEST_CASE("power off is ignored while health passes") {
  rig b;
  b.power(power_state::off);
  CHECK(b.s.phase == ha_phase::available);
  CHECK(b.did.empty());
}

TEST_CASE("a passing health check cancels what was asked for") {
  rig b;
  b.failed_window().health_passes();
  CHECK(b.s.phase == ha_phase::available);
  CHECK_FALSE(b.s.wants);
  CHECK(b.has<give_back_permit>());
  b.grant(act_kind::reset);
  CHECK(b.s.phase == ha_phase::available);
  CHECK(b.has<give_back_permit>());
  CHECK_FALSE(b.has<reset_power>());
}

TEST_CASE("a lost permit answer is asked for again") {
  rig b;
  b.failed_window().due();
  CHECK(b.has<ask_permit>());
  CHECK(b.s.wants == act_kind::reset);
}

TEST_CASE("the ratio is exact and strict") {
  auto decides = [](double ratio, int bad, int all) {
    rig b;
    b.r.activity_failure_ratio = ratio;
    b.r.activity_checks = static_cast<std::uint32_t>(all);
    b.health_fails();
    for (int i = 0; i < all; ++i)
      b.sample(i < bad ? activity::inactive : activity::active);
    REQUIRE(b.s.phase == (b.s.wants ? ha_phase::checking : ha_phase::degraded));
    return b.s.wants.has_value();
  };
  CHECK_FALSE(decides(0.7, 7, 10));
  CHECK(decides(0.7, 8, 10));
  CHECK_FALSE(decides(0.1, 3, 30));
  CHECK(decides(0.1, 4, 30));
  CHECK_FALSE(decides(0.55, 11, 20));
  CHECK_FALSE(decides(0.57, 57, 100));
  CHECK_FALSE(decides(1.0, 3, 3));
  CHECK_FALSE(decides(0.0, 0, 3));
  CHECK(decides(0.0, 1, 3));
}

TEST_CASE("a second grant does not give back the permit in use") {
  rig b;
  b.health_fails().power(power_state::off).grant(act_kind::fence);
  b.grant(act_kind::fence);
  CHECK(b.did.empty());
  CHECK(b.s.phase == ha_phase::fencing);
}

TEST_CASE("disabling gives back what is held and forgets the incident") {
  rig b;
  b.failed_window().grant(act_kind::reset).feed(disabled{});
  CHECK(b.s.phase == ha_phase::disabled);
  CHECK(b.has<give_back_permit>());
  CHECK(b.s.recoveries == 0);
  b.feed(recovery_ended{true, "late"});
  CHECK(b.s.phase == ha_phase::disabled);
  CHECK(b.told("X.STALE_RESULT_IGNORED"));
}

TEST_CASE("an answer to an earlier activity check counts for no newer one") {
  rig b;
  b.health_fails();
  b.now = b.s.due;
  b.feed(deadline{});
  REQUIRE(b.s.phase == ha_phase::checking);
  b.feed(activity_seen{activity::inactive, "nothing moved", true});
  CHECK(b.s.phase == ha_phase::checking);
  CHECK(b.s.checks == 0);
  CHECK(b.told("X.STALE_RESULT_IGNORED"));
  b.feed(activity_seen{activity::inactive, "nothing moves"});
  CHECK(b.s.checks == 1);
}

TEST_CASE("a deadline that has not passed means nothing") {
  rig b;
  b.health_fails().feed(deadline{});
  CHECK(b.s.phase == ha_phase::suspect);
  CHECK(b.did.empty());
}

TEST_CASE("only what a person must see is an alert") {
  CHECK(codes::is_alert("A.RECOVERING"));
  CHECK(codes::is_alert("X.FENCE_STUCK"));
  CHECK(codes::is_alert("X.FENCED_POWER_OFF"));
  // The scheduler tells of a storm once, for all nodes.
  CHECK_FALSE(codes::is_alert("X.GUARD_HELD"));
  CHECK_FALSE(codes::is_alert("X.ACTIVITY_INCONCLUSIVE"));
  CHECK_FALSE(codes::is_alert("E.DEGRADED"));
}

TEST_CASE("what counts for the storm guard is what is treated or failing") {
  state s;
  std::string counted;
  for (auto phase :
       {ha_phase::disabled, ha_phase::ineligible, ha_phase::available,
        ha_phase::suspect, ha_phase::checking, ha_phase::degraded,
        ha_phase::recovering, ha_phase::recovered, ha_phase::fencing,
        ha_phase::fenced}) {
    s.phase = phase;
    CHECK_FALSE(waits_for(s).empty());
    if (is_troubled(s))
      counted += std::string{to_string(phase)} + " ";
  }
  CHECK(counted
        == "suspect checking degraded recovering recovered fencing "
           "fenced ");
}

TEST_CASE("what is waited for names the hold and the hour") {
  rig b;
  b.health_fails();
  CHECK(waits_for(b.s)
        == "a passing health check, or activity check 1 at 08:00:10 UTC");
  b.power(power_state::off);
  CHECK(waits_for(b.s) == "a permit to fence");
  b.hold(act_kind::fence, "budget: 6 of 6");
  CHECK(waits_for(b.s)
        == "a permit to fence, asked again at 08:00:05 UTC; held: budget: 6 "
           "of 6");
}

} // namespace orderly::host_ha::host_ha_test
