// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Table B.6: what a (re)starting service does in each state.

#include "actors/policy/host_ha/edges.hpp"
#include "actors/policy/host_ha/host_ha.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace orderly::host_ha::host_ha_restart_test {

namespace {

constexpr instant t0{hours{470'000}};

const rules usual{.activity_interval_base = seconds{10},
                  .activity_interval_max = seconds{60},
                  .activity_checks = 10,
                  .degraded_period = seconds{300},
                  .recovery_wait = seconds{600},
                  .recovery_attempts_max = 1,
                  .retry_base = seconds{10},
                  .retry_max = seconds{250}};

verdict restart(const state& s) {
  return step("n1", s, restarted{}, usual, t0 + hours{1});
}

state in(ha_phase phase) {
  state s;
  s.phase = phase;
  s.since = t0;
  s.suspect_since = t0;
  s.trouble_seen = t0 + minutes{59};
  s.incident = "n-n1-1";
  return s;
}

template <class T>
bool has(const verdict& d) {
  return std::any_of(d.actions.begin(), d.actions.end(), [](const action& a) {
    return std::holds_alternative<T>(a);
  });
}

} // namespace

TEST_CASE("restart leaves resting states as they are") {
  for (auto phase :
       {ha_phase::disabled, ha_phase::ineligible, ha_phase::available}) {
    auto s = in(phase);
    auto d = restart(s);
    CHECK(d.next == s);
    CHECK(d.actions.empty());
  }
}

TEST_CASE("restart of a suspect keeps samples and waits the full time again") {
  auto s = in(ha_phase::suspect);
  s.checks = 2;
  s.failures = 1;
  s.sampled = t0 + hours{1};
  auto d = restart(s);
  CHECK(d.next.phase == ha_phase::suspect);
  CHECK(d.next.checks == 2);
  CHECK(d.next.failures == 1);
  CHECK(d.next.due == t0 + hours{1} + seconds{40});
  CHECK(has<read_power>(d));
}

TEST_CASE("restart of a suspect drops samples of long ago") {
  auto s = in(ha_phase::suspect);
  s.checks = 2;
  s.failures = 1;
  s.sampled = t0 + hours{1} - minutes{10};
  auto d = restart(s);
  CHECK(d.next.phase == ha_phase::suspect);
  CHECK(d.next.checks == 0);
  CHECK(d.next.failures == 0);
}

TEST_CASE("after a restart no single check fences a node that was reset") {
  auto s = in(ha_phase::suspect);
  s.recoveries = 1;
  s.sampled = s.trouble_seen = t0 + hours{1};
  auto d = restart(s);
  REQUIRE(d.next.phase == ha_phase::suspect);
  CHECK(d.next.recoveries == 1);
  auto at = t0 + hours{1} + seconds{1};
  d = step("node5", d.next, health_seen{health::unhealthy, "no answer"}, usual,
           at);
  CHECK_FALSE(d.next.wants);
}

TEST_CASE("restart while checking discards the sample") {
  auto s = in(ha_phase::checking);
  s.checks = 1;
  s.sampled = t0 + hours{1};
  auto d = restart(s);
  CHECK(d.next.phase == ha_phase::suspect);
  CHECK(d.next.checks == 1);
  CHECK(d.next.due == t0 + hours{1} + seconds{20});
}

TEST_CASE("restart between verdict and permit takes the last sample again") {
  auto s = in(ha_phase::checking);
  s.checks = 10;
  s.failures = 9;
  s.sampled = t0 + hours{1};
  s.wants = act_kind::reset;
  auto d = restart(s);
  CHECK(d.next.phase == ha_phase::suspect);
  CHECK(d.next.checks == 9);
  CHECK(d.next.failures == 8);
  CHECK_FALSE(d.next.wants);
  CHECK(has<give_back_permit>(d));
}

TEST_CASE("restart keeps Degraded and Recovered with their deadlines") {
  for (auto phase : {ha_phase::degraded, ha_phase::recovered}) {
    auto s = in(phase);
    s.due = t0 + minutes{90};
    auto d = restart(s);
    CHECK(d.next == s);
    CHECK(d.actions.empty());
  }
}

TEST_CASE("restart before the reset was sent asks for it again") {
  auto d = restart(in(ha_phase::recovering));
  CHECK(d.next.wants == act_kind::reset);
  CHECK(has<ask_permit>(d));
  CHECK_FALSE(has<reset_power>(d));
}

TEST_CASE("restart before the intent of a reset was on disk is no reset") {
  auto s = in(ha_phase::recovering);
  s.recoveries = 1;
  s.recovery_dispatched = true;
  auto d = step("n1", s, restarted{.unsent = true}, usual, t0 + hours{1});
  CHECK(d.next.phase == ha_phase::suspect);
  CHECK(d.next.recoveries == 0);
  CHECK(has<give_back_permit>(d));
  CHECK_FALSE(has<reset_power>(d));
  CHECK_FALSE(d.next.wants);
  // What was sent before it still counts.
  s.recoveries = 2;
  d = step("n1", s, restarted{.unsent = true}, usual, t0 + hours{1});
  CHECK(d.next.recoveries == 1);
}

TEST_CASE("restart after minutes looks anew where no reset is under way") {
  auto s = in(GENERATE(ha_phase::recovering, ha_phase::fencing));
  s.due = t0 + hours{2};
  s.trouble_seen = t0 + hours{1} - minutes{3};
  auto d = restart(s);
  CHECK(d.next.phase == ha_phase::suspect);
  CHECK_FALSE(has<fence_power>(d));
}

TEST_CASE("who is silent after nobody watched has the time of a boot") {
  auto silent_after = [](const state& s, bool away) {
    auto now = t0 + hours{1};
    auto back = step("n1", s, restarted{.away = away}, usual, now).next;
    auto fails = health_seen{health::unhealthy, "no answer"};
    return step("n1", back, fails, usual, now + seconds{1}).next;
  };
  auto s = in(ha_phase::available);
  auto boots = silent_after(s, true);
  CHECK(boots.phase == ha_phase::recovered);
  CHECK(boots.due == t0 + hours{1} + seconds{600});
  CHECK(silent_after(s, false).phase == ha_phase::suspect);
  // What was known of an earlier boot is old.
  s.raised = t0 + minutes{55};
  CHECK(silent_after(s, true).due == t0 + hours{1} + seconds{600});
}

TEST_CASE("who is watched has the time of a boot after an absence, too") {
  auto s
    = in(GENERATE(ha_phase::suspect, ha_phase::checking, ha_phase::degraded,
                  ha_phase::recovering, ha_phase::fencing));
  s.wants = act_kind::reset;
  auto d = step("n1", s, restarted{.away = true}, usual, t0 + hours{1});
  CHECK(d.next.phase == ha_phase::recovered);
  CHECK(d.next.recoveries == 0);
  CHECK_FALSE(d.next.wants);
  CHECK(has<give_back_permit>(d));
}

TEST_CASE("what is switched off host HA is guessed to boot when it is back") {
  auto s = in(ha_phase::disabled);
  auto d = step("n1", s, restarted{.away = true}, usual, t0 + hours{1});
  CHECK(d.next.raised == never);
  d = step("n1", d.next, enabled{.silent = true}, usual, t0 + hours{2});
  CHECK(d.next.raised == t0 + hours{2});
}

TEST_CASE("after three absences in a row a silent node is treated") {
  auto s = in(ha_phase::suspect);
  auto now = t0 + hours{1};
  for (auto i = 0; i < 3; ++i, now += minutes{12}) {
    s.trouble_seen = now;
    s = step("n1", s, restarted{.away = true}, usual, now).next;
    REQUIRE(s.phase == ha_phase::recovered);
  }
  s = step("n1", s, restarted{.away = true}, usual, now).next;
  // Its time is over, and it is not given again.
  CHECK(s.due < now);
}

TEST_CASE("a reset before an absence counts from its own moment") {
  auto s = in(GENERATE(ha_phase::recovering, ha_phase::fenced));
  s.recovery_dispatched = s.phase == ha_phase::recovering;
  auto after = [&](bool unsent) {
    auto x = restarted{.unsent = unsent, .away = true};
    return step("n1", s, x, usual, t0 + hours{1}).next;
  };
  CHECK(after(false).raised == never);
  CHECK_FALSE(after(false).raise_guessed);
  if (s.phase == ha_phase::fenced)
    return;
  // Unless it never left, or that is long ago.
  CHECK(after(true).raise_guessed);
  s.trouble_seen = t0;
  CHECK(after(false).raise_guessed);
}

TEST_CASE("who is not eligible any more is not watched for a treatment") {
  auto s = in(ha_phase::recovering);
  s.recovery_dispatched = true;
  s.eligible = false;
  auto d = step("n1", s, restarted{.unsent = true}, usual, t0 + hours{1});
  CHECK(d.next.phase == ha_phase::ineligible);
}

TEST_CASE("restart before the intent of a fence was on disk sent nothing") {
  auto s = in(ha_phase::fencing);
  s.fence_dispatched = true;
  auto d = step("n1", s, restarted{.unsent = true}, usual, t0 + hours{1});
  CHECK(d.next.phase == ha_phase::fencing);
  CHECK_FALSE(d.next.fence_sent);
  d = step("n1", s, restarted{}, usual, t0 + hours{1});
  CHECK(d.next.fence_sent);
}

TEST_CASE("restart during a reset reads the power and never resets twice") {
  auto s = in(ha_phase::recovering);
  s.recoveries = 1;
  s.recovery_dispatched = true;
  auto d = restart(s);
  CHECK(d.next.phase == ha_phase::recovering);
  CHECK(has<read_power>(d));
  CHECK_FALSE(has<reset_power>(d));
  auto read = [&d](power_state x) {
    return step("n1", d.next, power_seen{x, false, "ipmi", t0}, usual,
                t0 + hours{1});
  };
  auto on = read(power_state::on).next;
  CHECK(on.phase == ha_phase::recovered);
  CHECK(on.recoveries == 1);
  CHECK(on.due == t0 + hours{1} + seconds{600});
  auto off = read(power_state::off);
  CHECK(off.next.phase == ha_phase::recovering);
  CHECK(off.next.wants == act_kind::fence);
  CHECK_FALSE(has<reset_power>(off));
  // It may boot, and its controller would prove no fence.
  auto unknown = read(power_state::unknown);
  CHECK(unknown.next.phase == ha_phase::recovered);
  CHECK_FALSE(unknown.next.wants);
  CHECK(has<give_back_permit>(unknown));
  CHECK_FALSE(has<reset_power>(unknown));
  // Nor does anybody say more in time.
  auto silent = step("n1", d.next, deadline{}, usual, d.next.due);
  CHECK(silent.next.phase == ha_phase::recovered);
  CHECK(has<give_back_permit>(silent));
}

TEST_CASE("a power reading of before is no answer about a running reset") {
  auto s = in(ha_phase::recovering);
  s.recoveries = 1;
  s.recovery_dispatched = true;
  s.due = t0 + minutes{5};
  auto d
    = step("n1", s, power_seen{power_state::on, false, "late", t0}, usual, t0);
  CHECK(d.next.phase == ha_phase::recovering);
  CHECK(d.next.recovery_dispatched);
}

TEST_CASE("restart while fencing fences again") {
  auto s = in(ha_phase::fencing);
  s.fence_tries = 4;
  s.stuck_alerted = true;
  auto d = restart(s);
  CHECK(d.next.phase == ha_phase::fencing);
  CHECK(d.next.fence_dispatched);
  CHECK(d.next.stuck_alerted);
  CHECK(has<enter_maintenance>(d));
  CHECK(has<fence_power>(d));
}

TEST_CASE("after a restart a trouble that nobody saw lately begins anew") {
  for (auto phase : {ha_phase::suspect, ha_phase::checking, ha_phase::degraded,
                     ha_phase::recovering, ha_phase::fencing}) {
    auto s = in(phase);
    s.recoveries = 1;
    s.maintenance = phase == ha_phase::fencing;
    s.trouble_seen = t0;
    auto d = restart(s);
    CHECK(d.next.phase == ha_phase::suspect);
    CHECK(d.next.incident != s.incident);
    CHECK(d.next.suspect_since == t0 + hours{1});
    CHECK(d.next.recoveries == 0);
    CHECK_FALSE(d.next.maintenance);
    CHECK_FALSE(has<fence_power>(d));
    CHECK_FALSE(has<reset_power>(d));
    CHECK(has<give_back_permit>(d));
  }
}

TEST_CASE("a fence that begins anew ends where the node is not eligible") {
  auto s = in(ha_phase::fencing);
  s.trouble_seen = t0;
  s.eligible = false;
  s.ineligible_why = "it has no neighbours";
  auto d = restart(s);
  CHECK(d.next.phase == ha_phase::ineligible);
  CHECK_FALSE(has<fence_power>(d));
  CHECK(
    is_edge(s.phase, name_of_transition(s, restarted{}, d.next), d.next.phase));
}

TEST_CASE("a health check from before a restart fences nobody") {
  auto s = in(ha_phase::suspect);
  s.recoveries = 1;
  s.last_health = health::unhealthy;
  auto d = restart(s);
  CHECK(d.next.last_health == health::unknown);
  auto due = step("n1", d.next, deadline{}, usual, d.next.due);
  CHECK(due.next.wants != act_kind::fence);
}

TEST_CASE("restart while fenced reads the power before it releases anything") {
  auto s = in(ha_phase::fenced);
  s.maintenance = true;
  s.proved_down = proof{"n1", proof_level::power_status, "off", t0};
  auto d = restart(s);
  CHECK_FALSE(has<release_instances>(d));
  CHECK(has<read_power>(d));
  CHECK_FALSE(d.next.proved_down);
}

} // namespace orderly::host_ha::host_ha_restart_test
