// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The last look before a reset or fence leaves, and before an "off" becomes a
// proof.

#include "tests/actors/node/node_rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::node_witness_test {

using Catch::Matchers::Contains;

namespace {

/// A node whose fence was begun a moment ago, by an actor that died since.
void fencing(node_rig& b, millis evidence_age = millis{0}) {
  host_ha::state s;
  s.phase = ha_phase::fencing;
  s.incident = "n-1";
  s.maintenance = true;
  s.since = b.on.now() - evidence_age;
  s.suspect_since = s.since;
  s.trouble_seen = s.sampled = s.since;
  b.disk->states["node:n1"] = host_ha::to_fields(s);
}

} // namespace

TEST_CASE("a fence leaves after a look that found the daemons silent") {
  node_rig b;
  fencing(b);
  b.world->daemons = health::unhealthy;
  b.boot();
  b.run_for(seconds{5});
  REQUIRE(b.world->words.size() == 1);
  CHECK(b.world->words[0].stands);
  CHECK(b.world->commands == std::vector{power_verb::off});
  CHECK(b.world->shown.phase == ha_phase::fenced);
  CHECK(b.proved());
  REQUIRE_FALSE(b.world->released.empty());
  CHECK_FALSE(b.world->released.back().unused);
}

TEST_CASE("a fence does not leave while the node's daemons answer") {
  node_rig b;
  fencing(b);
  b.world->daemons = health::healthy;
  b.boot();
  b.run_for(seconds{5});
  REQUIRE(b.world->words.size() == 1);
  CHECK_FALSE(b.world->words[0].stands);
  CHECK(b.world->words[0].answers);
  CHECK(b.world->commands.empty());
  // Whoever answers is in no trouble: what comes now is another one.
  CHECK(b.world->shown.phase != ha_phase::fencing);
  // What the earlier life commanded under its permit nobody knows.
  REQUIRE_FALSE(b.world->released.empty());
  CHECK_FALSE(b.world->released.back().unused);
}

TEST_CASE("not having looked is no silence: the fence is held back") {
  for (auto blind : {health::unknown, health::not_looked}) {
    node_rig b;
    fencing(b);
    b.world->daemons = blind;
    b.boot();
    b.run_for(seconds{5});
    CHECK(b.world->commands.empty());
    CHECK_FALSE(b.proved());
  }
}

TEST_CASE("what the guards forbid by now holds a fence back") {
  node_rig b;
  fencing(b);
  b.world->daemons = health::unhealthy;
  b.world->guarded = "paused by bob";
  b.boot();
  b.run_for(seconds{5});
  CHECK(b.world->commands.empty());
  REQUIRE_FALSE(b.world->words.empty());
  CHECK_THAT(b.world->words[0].why, Contains("paused by bob"));
  CHECK_FALSE(b.world->words[0].answers);
  b.world->guarded.clear();
  b.run_for(seconds{60});
  CHECK(b.world->commands == std::vector{power_verb::off});
}

TEST_CASE("a fence of a node that answers for long begins anew") {
  settings rules;
  rules.host_ha.evidence_max_age = minutes{2};
  node_rig b{rules};
  fencing(b);
  b.world->daemons = health::healthy;
  b.boot();
  b.run_for(minutes{6});
  CHECK(b.world->commands.empty());
  CHECK(b.world->shown.phase == ha_phase::available);
}

TEST_CASE("a fence from long before a restart is not gone on with") {
  node_rig b;
  fencing(b, hours{24});
  b.world->daemons = health::healthy;
  b.boot();
  b.run_for(seconds{30});
  CHECK(b.world->commands.empty());
  CHECK(b.world->shown.phase == ha_phase::available);
}

TEST_CASE("off by the controller is no proof while the machine refuses") {
  node_rig b;
  fencing(b);
  b.world->daemons = health::unhealthy;
  b.world->lives = true;
  b.world->power = power_state::off; // a liar
  b.boot();
  b.run_for(minutes{3});
  CHECK_FALSE(b.proved());
  CHECK(b.disk->count("X.OFF_BUT_ANSWERS") == 1);
  CHECK(b.world->shown.phase == ha_phase::suspect);
}

TEST_CASE("a proof that cannot be renewed is void after its time") {
  settings rules;
  rules.autorepair.proof_max_age = minutes{3};
  node_rig b{rules};
  fencing(b);
  b.world->daemons = health::unhealthy;
  b.boot();
  b.run_for(seconds{5});
  b.facts.record.offline = true;
  REQUIRE(b.proved());
  b.world->answers = false; // its controller is silent from now on
  b.run_for(minutes{2});
  CHECK(b.proved());
  b.run_for(minutes{2});
  CHECK_FALSE(b.proved());
}

TEST_CASE("the proof of an offline node is void after its time as well") {
  settings rules;
  rules.autorepair.proof_max_age = minutes{3};
  node_rig b{rules};
  b.world->daemons = health::unhealthy;
  b.world->power = power_state::off;
  b.facts.record.offline = true;
  b.boot();
  b.run_for(minutes{1});
  REQUIRE(b.proved());
  b.world->power = power_state::unknown;
  b.run_for(minutes{2});
  CHECK(b.proved());
  b.run_for(minutes{3});
  CHECK_FALSE(b.proved());
}

TEST_CASE(
  "a silent controller's old word is void at once when daemons answer") {
  node_rig b;
  b.world->daemons = health::unhealthy;
  b.world->power = power_state::off;
  b.facts.record.offline = true;
  b.boot();
  b.run_for(minutes{1});
  REQUIRE(b.proved());
  b.world->power = power_state::unknown;
  b.world->daemons = health::healthy;
  b.run_for(seconds{90});
  CHECK_FALSE(b.proved());
}

TEST_CASE("a fence whose decision was written down too slowly does not leave") {
  settings rules;
  rules.cluster.picture_max_age = seconds{10};
  node_rig b{rules};
  fencing(b);
  b.world->daemons = health::unhealthy;
  auto slow = true;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    b.disk->write(batch);
    return says(journal_ack{true, {}}, slow ? seconds{15} : seconds{0});
  };
  b.boot();
  b.run_for(seconds{5});
  slow = false;
  b.run_for(seconds{14});
  CHECK(b.world->words.empty());
  CHECK(b.world->commands.empty());
  b.run_for(minutes{2});
  CHECK(b.world->commands == std::vector{power_verb::off});
}

TEST_CASE(
  "that our own mark was set outlives a restart once a picture shows it") {
  node_rig b;
  fencing(b);
  b.world->daemons = health::unhealthy;
  b.boot();
  b.run_for(seconds{5});
  REQUIRE(b.proved());
  CHECK(b.disk->states["node:n1"].number("marked") == 0);
  job_event done;
  done.phase = job_phase::ended;
  done.status = job_status::success;
  done.at = b.on.now();
  b.on.tell(b.actor, done);
  b.on.run_for(seconds{1});
  b.facts.record.offline = true;
  b.read();
  CHECK(b.disk->states["node:n1"].number("marked") == 1);
}

TEST_CASE("a mark that cannot be set for long is told once") {
  settings rules;
  rules.autorepair.proof_max_age = hours{1};
  node_rig b{rules};
  fencing(b);
  b.world->daemons = health::unhealthy;
  b.boot();
  b.run_for(minutes{4});
  REQUIRE(b.proved());
  CHECK(b.disk->count("X.MARK_STUCK") == 0);
  b.run_for(minutes{6});
  CHECK(b.disk->count("X.MARK_STUCK") == 1);
  CHECK(b.disk->states["node:n1"].number("unmarked_told") == 1);
  b.facts.record.offline = true;
  b.run_for(minutes{10});
  CHECK(b.disk->count("X.MARK_STUCK") == 1);
}

TEST_CASE("a proof that expires is an alert as long as somebody waits for it") {
  settings rules;
  rules.autorepair.proof_max_age = minutes{3};
  auto marked = GENERATE(false, true);
  auto left = GENERATE(std::vector<instance_name>{},
                       std::vector<instance_name>{"i1", "i2"});
  node_rig b{rules};
  fencing(b);
  b.world->daemons = health::unhealthy;
  b.boot();
  b.run_for(seconds{5});
  REQUIRE(b.proved());
  b.facts.record.offline = marked;
  b.facts.stranded = left;
  b.world->answers = false;
  b.run_for(minutes{6});
  CHECK_FALSE(b.proved());
  CHECK(b.disk->count("X.PROOF_LOST") == (marked && left.empty() ? 0U : 1U));
}

TEST_CASE("another node under the same name holds no permit of the former one, "
          "and is not marked for it") {
  node_rig b;
  fencing(b);
  b.world->daemons = health::unhealthy;
  SECTION("whose fence is under way") {
    b.world->obeys = false;
    b.boot();
    b.run_for(seconds{5});
    REQUIRE(b.world->shown.phase == ha_phase::fencing);
  }
  SECTION("whose mark is under way") {
    b.boot();
    b.run_for(seconds{5});
    REQUIRE(b.world->shown.phase == ha_phase::fenced);
    REQUIRE(b.jobs->orders.size() == 1);
    REQUIRE(b.jobs->withdrawn.empty());
  }
  b.world->released.clear();
  b.facts.record.uuid = "uuid-2";
  b.world->daemons = health::healthy;
  b.world->power = power_state::on;
  b.run_for(minutes{1});
  CHECK(b.world->shown.phase == ha_phase::available);
  CHECK_FALSE(b.world->released.empty());
  CHECK(b.jobs->withdrawn.size() == b.jobs->orders.size());
}

} // namespace orderly::node_witness_test
