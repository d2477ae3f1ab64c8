// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/policy/errand/rig.hpp"

namespace orderly::errand::errand_fields_test {

namespace {

state back(const state& s) {
  auto result = head_from_fields(s.id, head_to_fields(s));
  for (std::uint32_t i = 0; i < blocks_of(s); ++i)
    block_from_fields(result, i, block_to_fields(s, i));
  return result;
}

void same(const state& a, const state& b) {
  CHECK(a.id == b.id);
  CHECK(a.rows == b.rows);
  CHECK(a.remarks == b.remarks);
  CHECK(a.began == b.began);
  CHECK(a.ended == b.ended);
  CHECK(a.stopped_by == b.stopped_by);
  CHECK(a.interrupted == b.interrupted);
  CHECK(a.last_start == b.last_start);
  CHECK(a.last_started == b.last_started);
  CHECK(a.last_answer == b.last_answer);
  CHECK(a.advised == b.advised);
  CHECK(a.asked.who == b.asked.who);
  CHECK(a.asked.reason == b.asked.reason);
  CHECK(a.asked.count == b.asked.count);
  CHECK(head_to_fields(a) == head_to_fields(b));
}

} // namespace

TEST_CASE("an errand comes back from the journal as it was") {
  state s;
  s.id = "power-12";
  s.asked = rig::request(rig::power(power_verb::off, {"n1", "n2"}));
  auto& power = std::get<power_errand>(s.asked.what);
  power.mark_offline = false;
  power.auto_promote = power.bare = true;
  power.time_limit = seconds{7};
  power.power_delay = millis{1500};
  s.asked.count = 6;
  s.began = from_ms(5);
  s.ended = from_ms(6);
  s.stopped_by = "eve";
  s.interrupted = "interrupted for 20 h, ask again";
  s.remarks = {"one", "two; three"};
  s.last_start = from_ms(7);
  s.last_started = 3;
  s.last_answer = from_ms(8);
  s.advised = true;
  for (std::uint32_t i = 0; i < 120; ++i) {
    row r;
    r.object = "n" + std::to_string(i);
    r.kind = i % 5 == 0 ? row_kind::setting : row_kind::node;
    r.state = static_cast<row_state>(i % 6);
    r.met = i % 2 == 0;
    r.at = i % 2;
    r.tries = i;
    r.looking = i % 3 == 0;
    r.text = "line\nof text";
    r.evidence = "read";
    r.power = static_cast<power_state>(i % 3);
    r.items = {{"FAN 1", "OK"}, {"PS", "CRITICAL"}};
    r.needs = {0, i};
    r.due = from_ms(i);
    r.until = from_ms(2 * i);
    r.moved = from_ms(3 * i);
    r.lifted = i % 2 == 1;
    r.commanded = i % 4 == 1;
    r.was_drained = i % 3 == 1;
    r.turned = i % 5 == 2;
    s.rows.push_back(std::move(r));
  }
  CHECK(blocks_of(s) == 3);
  auto again = back(s);
  same(s, again);
  const auto& x = std::get<power_errand>(again.asked.what);
  CHECK(x.nodes == power.nodes);
  CHECK(x.verb == power_verb::off);
  CHECK_FALSE(x.mark_offline);
  CHECK(x.bare);
  CHECK(x.time_limit == seconds{7});
  CHECK(x.power_delay == millis{1500});
}

TEST_CASE("every kind of request comes back from the journal") {
  modify_errand m;
  m.node = "n1";
  m.powered = false;
  m.program = "";
  epo_errand e;
  e.on = e.groups = true;
  e.names = {"g1", "g2"};
  e.shutdown_timeout = minutes{2};
  for (const decltype(errand_request::what)& what :
       {decltype(errand_request::what){m}, decltype(errand_request::what){e},
        decltype(errand_request::what){info_errand{{"n1"}}},
        decltype(errand_request::what){verify_errand{}},
        decltype(errand_request::what){confirm_errand{"n1"}},
        decltype(errand_request::what){
          setting_errand{setting_action::set, "maintenance.interval", "30s"}},
        decltype(errand_request::what){
          setting_errand{setting_action::unset, "maintenance.interval", ""}}}) {
    state s;
    s.id = "power-1";
    s.asked = rig::request(what);
    auto again = back(s);
    same(s, again);
    CHECK(kind_of(again.asked) == kind_of(s.asked));
    CHECK(request_text(again.asked) == request_text(s.asked));
  }
}

TEST_CASE("what only a later version knows is never begun again") {
  fields head;
  head.put("request", "teleport");
  head.put("rows", 2);
  auto s = head_from_fields("power-1", head);
  CHECK(is_reading(s.asked));
  REQUIRE(s.rows.size() == 2);
  CHECK(is_final(s.rows[1].state)); // its block is missing
  fields block;
  block.put("0000.object", "n1");
  block.put("0000.kind", "node");
  block.put("0000.state", "running");
  block.put("0000.at", 99);
  block_from_fields(s, 0, block);
  CHECK(is_final(s.rows[0].state));
}

TEST_CASE("a hold comes back from the journal as it was") {
  hold x{"bob", "fire", "power-3", true, true};
  x.was_drained = true;
  x.at = instant{hours{5}};
  x.told_living = x.told_silent = x.told_long = true;
  x.told_adopted = instant{hours{9}};
  CHECK(hold_from_fields(to_fields(x)) == x);
  auto away = x;
  away.unreturned = true; // who knows what was done meanwhile
  away.own_until = 7;
  CHECK(hold_from_fields(to_fields(away)) == x);
}

TEST_CASE("an intent names its errand, row, step and try, and no other does") {
  state s;
  s.id = "power-12";
  errand_id id;
  spot at;
  REQUIRE(split_intent(intent_of(s, {3, 1, 2}), id, at));
  CHECK(id == "power-12");
  CHECK(at == spot{3, 1, 2});
  for (const char* wrong :
       {"", "/", "power-12", "power-12/1", "power-12/1/2", "power-12/1/2/x",
        "power-12/1//2", "/1/2/3", "n-n1-5/offline-1", "a/1/2/-3", "a/1/2/3 "})
    CHECK_FALSE(split_intent(wrong, id, at));
}

} // namespace orderly::errand::errand_fields_test
