// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A node for which a person has switched host HA off.

#include "tests/actors/node/node_rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::node_switch_test {

namespace {

constexpr const char* off = "disabled for it by root";

} // namespace

TEST_CASE("a node that is disabled shows it in the same second") {
  node_rig b;
  b.boot();
  b.read();
  REQUIRE(b.world->shown.phase == ha_phase::available);
  b.facts.disabled = off;
  b.read();
  CHECK(b.world->shown.phase == ha_phase::disabled);
  CHECK(b.world->shown.reason == off);
  b.facts.disabled.clear();
  b.read();
  CHECK(b.world->shown.phase == ha_phase::available);
}

TEST_CASE("nothing is done about a dead node that is disabled") {
  node_rig b;
  b.boot();
  b.facts.disabled = off;
  b.read();
  b.world->daemons = health::unhealthy;
  b.world->power = power_state::off;
  b.run_for(minutes{40});
  CHECK(b.world->commands.empty());
  CHECK(b.world->shown.phase == ha_phase::disabled);
  b.facts.disabled.clear();
  b.read();
  b.run_for(minutes{2});
  CHECK_FALSE(b.world->commands.empty());
}

TEST_CASE("what is under way for a node that is disabled is given up") {
  node_rig b;
  b.boot();
  b.read();
  b.world->daemons = health::unhealthy;
  b.world->power = power_state::off;
  b.world->guarded = "a storm";
  b.run_for(minutes{2});
  REQUIRE(b.world->shown.wants);
  b.facts.disabled = off;
  b.read();
  CHECK_FALSE(b.world->shown.wants);
  CHECK(b.world->shown.incident.empty());
  CHECK_FALSE(b.world->released.empty());
  b.world->guarded.clear();
  b.run_for(minutes{20});
  CHECK(b.world->commands.empty());
}

TEST_CASE("a node that was disabled is so after a restart, untouched") {
  node_rig b;
  b.boot();
  b.facts.disabled = off;
  b.read();
  auto rows = b.disk->entries.size();
  b.boot();
  b.read();
  CHECK(b.world->shown.phase == ha_phase::disabled);
  CHECK(b.disk->entries.size() == rows);
}

TEST_CASE("what its group has of its own holds for a node") {
  settings rules;
  rules.host_ha.groups["rack7"] = {"kvm.ha.activity.check.max.attempts = 1"};
  // One check of its activity, which nobody can tell, is the whole window.
  auto phase_in = [&](const group_name& group) {
    node_rig b{rules};
    b.facts.record.group = group;
    b.boot();
    b.read();
    b.world->daemons = health::unhealthy;
    b.run_for(minutes{2});
    return b.world->shown.phase;
  };
  CHECK(phase_in("rack7") == ha_phase::degraded);
  CHECK(phase_in("rack8") == ha_phase::suspect);
}

} // namespace orderly::node_switch_test
