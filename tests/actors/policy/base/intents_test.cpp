// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is put together as an intent is read back as the same.

#include "actors/policy/base/intents.hpp"

#include <catch2/catch.hpp>

namespace orderly::base_intents_test {

TEST_CASE("what an act's intent does is known by it, and an act it is") {
  for (auto act : {act_kind::failover, act_kind::migrate, act_kind::reinstall,
                   act_kind::fix_storage}) {
    auto intent = act_intent("4711/web1/", 3, act);
    INFO(intent);
    CHECK(act_of(intent) == act);
    CHECK(is_act(intent));
    CHECK_FALSE(is_mark(intent));
  }
  CHECK(act_intent("4711/web1/", 3, act_kind::failover)
        == "4711/web1/3-failover");
}

TEST_CASE("jobs that only write tags are no acts") {
  auto act = act_intent("4711/web1/", 3, act_kind::failover);
  for (const auto& intent :
       {tag_intent("4711/web1/", 4), note_intent(act, note_try::first),
        note_intent(act, note_try::second), asked_intent("4711")}) {
    INFO(intent);
    CHECK_FALSE(is_act(intent));
    CHECK_FALSE(act_of(intent));
  }
  CHECK(note_intent(act, note_try::first)
        != note_intent(act, note_try::second));
  CHECK_FALSE(is_act(""));
}

TEST_CASE("a person's job is no act of a repair, whatever it is called") {
  CHECK_FALSE(act_of("power-1-failover"));
  CHECK_FALSE(act_of("failover"));
}

TEST_CASE("a mark's intent is known by any daemon") {
  auto incident = node_incident("node3", instant{seconds{1700000000}});
  CHECK(incident == "n-node3-1700000000000");
  CHECK(is_mark(mark_intent(incident, 2)));
  CHECK_FALSE(act_of(mark_intent(incident, 2)));
  CHECK_FALSE(is_mark(incident));
  CHECK_FALSE(is_mark("4711/web1/offline-1"));
}

TEST_CASE("a move of balancing is known by its intent, and no repair is one, "
          "whatever its id") {
  CHECK(move_intent(7, from_ms(1700000000000), "web1")
        == "balance-7-1700000000-web1");
  CHECK(is_move(move_intent(7, from_ms(1700000000000), "web1")));
  CHECK_FALSE(is_move(act_intent("balance-1/web1/", 3, act_kind::failover)));
  CHECK_FALSE(is_move("4711/web1/3-fix-storage"));
}

} // namespace orderly::base_intents_test
