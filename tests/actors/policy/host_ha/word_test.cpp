// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The last level of a fence: a person's word that the node is off.

#include "tests/actors/policy/host_ha/rig.hpp"

namespace orderly::host_ha::host_ha_word_test {

namespace {

const vouched word{"off by the word of root: both cords are pulled", {}};

} // namespace

TEST_CASE("a person's word ends a stuck fence") {
  rig b;
  b.health_fails().power(power_state::off).grant(act_kind::fence);
  b.feed(fence_ended{false, "no route to the controller", b.now});
  b.feed(word);
  CHECK(b.s.phase == ha_phase::fenced);
  REQUIRE(b.s.proved_down);
  CHECK(b.s.proved_down->level == proof_level::operator_word);
  CHECK(b.s.proved_down->text == word.text);
  CHECK(b.s.maintenance);
  CHECK(b.has<release_instances>());
  CHECK(b.has<give_back_permit>());
  CHECK(b.told("X.FENCED_BY_WORD"));
}

TEST_CASE("a person's word counts wherever the node is, but for a reset that "
          "is out") {
  for (auto phase :
       {ha_phase::ineligible, ha_phase::available, ha_phase::suspect,
        ha_phase::checking, ha_phase::degraded, ha_phase::recovered,
        ha_phase::fencing, ha_phase::fenced}) {
    CAPTURE(to_string(phase));
    rig b;
    b.s.phase = phase;
    b.feed(word);
    CHECK(b.s.phase == ha_phase::fenced);
    CHECK(b.s.proved_down);
    CHECK_FALSE(b.s.incident.empty());
  }
  rig off;
  off.s.phase = ha_phase::disabled;
  off.feed(word);
  CHECK(off.s.phase == ha_phase::disabled);
  rig busy;
  busy.s.phase = ha_phase::recovering;
  busy.s.recovery_dispatched = true;
  busy.feed(word);
  CHECK(busy.s.phase == ha_phase::recovering);
  CHECK_FALSE(busy.s.proved_down);
}

TEST_CASE("a status that was read is not replaced by a word") {
  rig b;
  b.fenced().feed(word);
  CHECK(b.s.proved_down->level == proof_level::power_status);
  CHECK(b.did.empty());
}

TEST_CASE("a person's word outlives a restart, a reading does not") {
  rig b;
  b.health_fails().feed(word).feed(restarted{});
  CHECK(b.s.proved_down);
  CHECK(b.has<read_power>());
  rig read;
  read.fenced().feed(restarted{});
  CHECK_FALSE(read.s.proved_down);
}

TEST_CASE("a word is void once power is seen on or the node answers") {
  rig b;
  b.health_fails().feed(word).power(power_state::on);
  CHECK_FALSE(b.s.proved_down);
  rig answers;
  answers.health_fails().feed(word).health_passes();
  CHECK_FALSE(answers.s.proved_down);
  CHECK(answers.has<read_power>());
}

TEST_CASE("power read off makes a person's word a reading") {
  rig b;
  b.health_fails().feed(word).power(power_state::off);
  REQUIRE(b.s.proved_down);
  CHECK(b.s.proved_down->level == proof_level::power_status);
  CHECK_FALSE(b.why.empty());
}

TEST_CASE("a late answer about the power-off does not undo a word") {
  rig b;
  b.health_fails().power(power_state::off).grant(act_kind::fence);
  b.feed(word).feed(fence_ended{false, "still no answer", b.now});
  CHECK(b.s.phase == ha_phase::fenced);
  CHECK(b.s.proved_down);
  CHECK(b.told("X.STALE_RESULT_IGNORED"));
}

TEST_CASE("a word replaces a status that is outdated") {
  rig b;
  b.fenced();
  b.now += hours{30};
  auto again = word;
  again.outdates = b.now - hours{24};
  b.feed(again);
  REQUIRE(b.s.proved_down);
  CHECK(b.s.proved_down->level == proof_level::operator_word);
  CHECK(b.has<release_instances>());
}

TEST_CASE("a proof is void once a person ordered the node on") {
  rig b;
  b.fenced().feed(ordered_on{b.now - seconds{1}, "root ordered it on"});
  CHECK(b.s.proved_down); // it was read as off since
  b.feed(ordered_on{b.now, "root ordered it on"});
  CHECK_FALSE(b.s.proved_down);
  CHECK(b.s.phase == ha_phase::fenced);
  CHECK(
    b.why
    == "fenced: root ordered it on; the proof that it is off no longer holds");
}

TEST_CASE("a fence that a person's wish forbids begins a new watch") {
  rig b;
  b.health_fails().power(power_state::off).grant(act_kind::fence);
  b.now += minutes{1};
  b.feed(fence_ended{false, "root switched it on", b.now, true});
  CHECK(b.s.phase == ha_phase::suspect);
  CHECK(b.s.suspect_since == b.now);
  CHECK_FALSE(b.s.maintenance);
  CHECK(b.has<give_back_permit>());
  CHECK_FALSE(b.told("X.FENCE_STUCK"));
  b.health_passes();
  CHECK(b.s.phase == ha_phase::available);
}

TEST_CASE("a reset that a person's wish forbids begins a new watch") {
  rig b;
  b.failed_window().grant(act_kind::reset);
  REQUIRE(b.s.phase == ha_phase::recovering);
  b.feed(recovery_ended{false, "root wants it off", true});
  CHECK(b.s.phase == ha_phase::suspect);
  CHECK(b.s.recoveries == 0);
  CHECK(b.has<give_back_permit>());
}

} // namespace orderly::host_ha::host_ha_word_test
