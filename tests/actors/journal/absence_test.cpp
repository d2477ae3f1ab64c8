// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// For how long nobody watched before: what the journal tells of it, and to
// whom.

#include "tests/actors/journal/rig.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <optional>

namespace orderly::journal_absence_test {

namespace {

const std::vector<std::string> keys{"node:node1", "given:node1"};

/// What the first who asks hears, where a life before was on duty so long ago,
/// and `before` happens until it asks.
millis unwatched(
  std::optional<millis> ago,
  const std::function<void(journal_rig&)>& before = [](journal_rig&) {}) {
  journal_rig b;
  auto worked = ago ? b.on.now() - *ago : never;
  b.disk->reads.answer = [&b, worked](const journal_read&) {
    auto found = b.disk->contents();
    found.worked = worked;
    return says(found);
  };
  b.start();
  before(b);
  auto asked = caf::actor_cast<recalling_journal>(b.actor);
  auto heard = b.on.ask<recalled>(asked, recall_keys{keys});
  b.on.settle();
  REQUIRE(heard);
  auto again = b.on.ask<recalled>(asked, recall_keys{keys});
  b.on.settle();
  REQUIRE(again);
  CHECK(again->unwatched == millis{0});
  return heard->unwatched;
}

} // namespace

TEST_CASE("the first who asks for a key hears how long nobody watched") {
  // Less the minute for which nothing may have been noted.
  CHECK(unwatched(minutes{20}) == minutes{19});
  CHECK(unwatched(seconds{10}) <= millis{0});
}

TEST_CASE("nobody was away where nothing is known of it") {
  CHECK(unwatched(std::nullopt) == millis{0});
}

TEST_CASE("an absence lasts until the right to act is there again") {
  auto later = [](journal_rig& b) { b.on.run_for(minutes{5}); };
  CHECK(unwatched(minutes{20}, later) == minutes{24});
  auto on_duty = [&](journal_rig& b) {
    b.on.ctx()->set_duty(duty::ours, b.on.clock_now());
    later(b);
    // Once more, after a silence.
    b.on.ctx()->set_duty(duty::ours, b.on.clock_now());
  };
  CHECK(unwatched(minutes{20}, on_duty) == minutes{19});
}

TEST_CASE("nobody was away where another master's daemon is on duty") {
  auto others = [](journal_rig& b) {
    b.on.ctx()->set_duty(duty::others, b.on.clock_now());
  };
  CHECK(unwatched(minutes{20}, others) == millis{0});
  auto and_ours_again = [&](journal_rig& b) {
    others(b);
    b.on.run_for(minutes{5});
    b.on.ctx()->set_duty(duty::ours, b.on.clock_now());
  };
  CHECK(unwatched(minutes{20}, and_ours_again) == millis{0});
}

TEST_CASE("a calendar that was set back tells nothing of an absence") {
  CHECK(unwatched(-minutes{30}) > hours{24});
  CHECK(unwatched(-seconds{2}) <= millis{0});
}

} // namespace orderly::journal_absence_test
