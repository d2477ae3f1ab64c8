// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A person's word that the node is off, as the node actor judges it.

#include "tests/actors/node/node_rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::node_word_test {

using Catch::Matchers::Contains;

TEST_CASE("a word is not believed once it was taken back") {
  node_rig b;
  b.world->daemons = health::unhealthy;
  b.world->answers = false; // the controller is asked, and hangs
  b.boot();
  auto word = b.say_off();
  CHECK_FALSE(word);
  auto back = b.say_off(true);
  REQUIRE(back);
  CHECK(back->taken);
  b.on.run_for(minutes{11});
  REQUIRE(word);
  CHECK_FALSE(word->taken);
  CHECK(b.disk->count("operator-word") == 0);
  CHECK_FALSE(b.proved());
}

TEST_CASE("a word that is taken back while it is written down is void") {
  node_rig b;
  b.world->daemons = health::unhealthy;
  b.world->power = power_state::unknown;
  b.boot();
  b.disk->writes.answer = [&b](const journal_batch& batch) {
    b.disk->write(batch);
    return says(journal_ack{true, {}}, seconds{3});
  };
  auto word = b.say_off();
  auto back = b.say_off(true);
  REQUIRE(back);
  CHECK(back->taken);
  b.on.run_for(seconds{30});
  REQUIRE(word);
  CHECK_FALSE(word->taken);
  CHECK_FALSE(b.proved());
}

TEST_CASE("a word whose writing down outlasts the asker's patience is void") {
  node_rig b;
  b.world->daemons = health::unhealthy;
  b.world->power = power_state::unknown;
  b.boot();
  b.disk->writes.answer = [&b](const journal_batch& batch) {
    b.disk->write(batch);
    return says(journal_ack{true, {}}, seconds{8});
  };
  auto word = b.say_off(false, seconds{5});
  b.on.run_for(seconds{30});
  REQUIRE(word);
  CHECK_FALSE(word->taken);
  CHECK_FALSE(b.proved());
}

TEST_CASE("who must wait for a reset is told how long that may take") {
  node_rig b;
  host_ha::state s;
  s.phase = ha_phase::recovering;
  s.recovery_dispatched = true;
  s.incident = "n-1";
  s.trouble_seen = b.on.now();
  s.since = b.on.now();
  b.disk->states["node:n1"] = host_ha::to_fields(s);
  b.world->daemons = health::unhealthy;
  b.world->answers = false;
  b.boot();
  auto word = b.say_off();
  REQUIRE(word);
  CHECK_FALSE(word->taken);
  CHECK_THAT(word->text,
             Contains("may take up to") && Contains("orderly explain n1"));
}

} // namespace orderly::node_word_test
