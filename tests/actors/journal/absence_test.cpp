// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// For how long nobody watched before: what the journal tells of it, and to
// whom.

#include "tests/actors/journal/bench.hpp"

#include <catch2/catch.hpp>

#include <optional>

namespace orderly::journal_absence_test {

namespace {

const std::vector<std::string> keys{"node:node1", "given:node1"};

/// What the first who asks hears, where the life before ended so long ago.
millis unwatched(std::optional<millis> ago, const std::string& held) {
  journal_bench b;
  if (!held.empty())
    b.disk->states[leader_object] = fields{{{"held", held}}};
  auto worked = ago ? b.on.now() - *ago : never;
  b.disk->reads.answer = [&b, worked](const journal_read&) {
    auto found = b.disk->contents();
    found.worked = worked;
    return says(found);
  };
  b.start();
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
  // Less the minute for which nothing may have been written.
  CHECK(unwatched(minutes{20}, "1") == minutes{19});
  CHECK(unwatched(seconds{10}, "1") <= millis{0});
}

TEST_CASE("nobody was away where nothing is known of it") {
  CHECK(unwatched(std::nullopt, "1") == millis{0});
  CHECK(unwatched(minutes{20}, "") == millis{0});
}

TEST_CASE("who stood by was not the one that watched") {
  CHECK(unwatched(minutes{20}, "0") == millis{0});
}

TEST_CASE("a calendar that was set back tells nothing of an absence") {
  CHECK(unwatched(-minutes{30}, "1") > hours{24});
  CHECK(unwatched(-seconds{2}, "1") <= millis{0});
}

} // namespace orderly::journal_absence_test
