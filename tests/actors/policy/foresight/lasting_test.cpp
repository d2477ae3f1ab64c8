// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is told because it lasts, whatever it waits for.

#include "actors/policy/foresight/lasting.hpp"

#include <catch2/catch.hpp>

namespace orderly::foresight_lasting_test {

using namespace orderly::foresight;

namespace {

constexpr instant start{hours{1000}};

node_standing node_in(ha_phase phase) {
  node_standing x;
  x.node = "node2";
  x.phase = phase;
  x.troubled = true;
  x.waits_for = "a status of off";
  return x;
}

instance_standing down() {
  instance_standing x;
  x.instance = "web2";
  x.phase = repair_phase::needs_repair;
  x.broken = true;
  x.needed = repair_type::failover;
  x.permitted = true;
  x.waits_for = "proof";
  return x;
}

std::map<object_id, lasting_troubles::row> all(std::size_t count,
                                               instant since = never) {
  std::map<object_id, lasting_troubles::row> result;
  for (std::size_t i = 0; i < count; ++i)
    result["node:n" + std::to_string(i)] = {"n" + std::to_string(i), since};
  return result;
}

} // namespace

TEST_CASE("a node in trouble is one until it is fenced, held or well") {
  CHECK(trouble_of(node_in(ha_phase::fencing))
        == "node node2 is fencing: a status of off");
  CHECK(trouble_of(node_in(ha_phase::degraded)) != "");
  CHECK(trouble_of(node_in(ha_phase::fenced)).empty());
  auto x = node_in(ha_phase::fencing);
  x.held = "a person works on it";
  CHECK(trouble_of(x).empty());
  x = node_in(ha_phase::ineligible);
  x.counted = false; // a person wants it off
  CHECK(trouble_of(x).empty());
  x = node_in(ha_phase::available);
  x.troubled = false;
  CHECK(trouble_of(x).empty());
}

TEST_CASE("a node that is left alone is a trouble where something should run") {
  auto x = node_in(ha_phase::ineligible);
  x.troubled = false;
  x.counted = false;
  x.closed = "it is recorded powered off";
  x.unheard_since = start;
  CHECK(trouble_of(x).empty());
  x.is_home = true;
  CHECK_THAT(trouble_of(x), Catch::Contains(x.closed));
  x.unheard_since = never; // it lives, whatever the record says
  CHECK(trouble_of(x).empty());
}

TEST_CASE("of a node that is not treated is told what is wrong with it") {
  auto x = node_in(ha_phase::ineligible);
  x.waits_for = "orderly runs on it";
  x.reason = "health check failed";
  CHECK_THAT(trouble_of(x), Catch::Contains("health check failed")
                              && !Catch::Contains("orderly runs on it"));
}

TEST_CASE("an instance is in trouble while it is down and may be started "
          "elsewhere") {
  CHECK(trouble_of(down()) == "instance web2: proof");
  auto x = down();
  x.phase = repair_phase::pending;
  CHECK(trouble_of(x) != "");
  x.phase = repair_phase::failed; // of another kind, long ago
  CHECK(trouble_of(x) != "");
  x.permitted = false; // that had an alert of its own
  CHECK(trouble_of(x).empty());
  x = down();
  x.permitted = false; // suspended, or never enabled
  CHECK(trouble_of(x).empty());
  x.misnamed = true; // a tag of another instance's repair is in the way
  x.allowed.most = repair_type::failover;
  CHECK(trouble_of(x) != "");
  x.allowed.most = repair_type::migrate;
  CHECK(trouble_of(x).empty());
  x = down();
  x.needed = repair_type::fix_storage; // it runs
  CHECK(trouble_of(x).empty());
  x = down();
  x.needed.reset(); // nothing helps, and a person has heard why
  CHECK(trouble_of(x).empty());
}

TEST_CASE("what lasts is told once, and anew only if it ended between") {
  lasting_troubles x;
  x.note(all(1), start);
  CHECK(x.due(start + minutes{39}).empty());
  x.note(all(1), start + minutes{39});
  REQUIRE(x.due(start + minutes{40}).size() == 1);
  CHECK(x.due(start + hours{5}).empty());
  x.note({}, start + hours{6});
  x.note(all(1), start + hours{7});
  CHECK(x.due(start + hours{7} + minutes{39}).empty());
  CHECK(x.due(start + hours{7} + minutes{40}).size() == 1);
}

TEST_CASE("what has lasted since before a restart counts from then") {
  lasting_troubles x;
  auto restart = start + minutes{35};
  SECTION("if it is found soon") {
    x.note({}, restart);
    x.note(all(1, start), restart + minutes{4});
    CHECK(x.due(start + minutes{39}).empty());
    CHECK(x.due(start + minutes{40}).size() == 1);
  }
  SECTION("what is found later is another one") {
    x.note({}, restart);
    x.note(all(1, start), restart + minutes{6});
    CHECK(x.due(start + minutes{45}).empty());
    CHECK(x.due(start + minutes{81}).size() == 1);
  }
  SECTION("what began in this life is known since it was seen") {
    x.note({}, restart);
    x.note(all(1, restart + seconds{10}), restart + minutes{1});
    CHECK(x.due(restart + minutes{40}).empty());
    CHECK(x.due(restart + minutes{41}).size() == 1);
  }
  SECTION("what the former life had the time to tell is not told at once") {
    x.note(all(1, restart - minutes{56}), restart);
    CHECK(x.due(restart + minutes{39}).empty());
    CHECK(x.due(restart + minutes{40}).size() == 1);
  }
  SECTION("nor what was another master's matter") {
    x.begin_anew();
    x.note(all(1, start), restart);
    CHECK(x.due(restart + minutes{39}).empty());
  }
}

TEST_CASE("what a switch leaves is told at once, and again if it lasts") {
  lasting_troubles x;
  x.note(all(2), start);
  CHECK(x.left("instance:").empty());
  CHECK(x.left("node:").size() == 2);
  CHECK(x.due(start + hours{1}).size() == 2);
  CHECK(x.left("node:").empty());
}

TEST_CASE("troubles that begin one after the other are few calls") {
  lasting_troubles x;
  auto told = 0;
  std::size_t rows = 0;
  for (int minute = 0; minute < 100; ++minute) {
    auto at = start + minutes{minute};
    x.note(all(static_cast<std::size_t>(std::min(minute, 30))), at);
    auto due = x.due(at);
    told += due.empty() ? 0 : 1;
    rows += due.size();
  }
  CHECK(rows == 30);
  CHECK(told == 3);
}

TEST_CASE("nothing is told of a time in which nobody acted") {
  lasting_troubles x;
  x.note(all(1), start);
  x.begin_anew();
  x.note(all(1), start + hours{2});
  CHECK(x.due(start + hours{2} + minutes{39}).empty());
  CHECK(x.due(start + hours{2} + minutes{40}).size() == 1);
}

TEST_CASE("the first few are named, with how long they last, oldest first") {
  lasting_troubles x;
  x.note({{"node:b", {"b waits", never}}}, start);
  x.note({{"node:a", {"a waits", never}}, {"node:b", {"b waits", never}}},
         start + minutes{5});
  auto at = start + minutes{50};
  CHECK(text_of(x.due(at), at) == "b waits (50 min); a waits (45 min)");
  lasting_troubles many;
  many.note(all(7), start);
  auto text = text_of(many.due(at), at);
  CHECK(text.find("; and 2 more") != std::string::npos);
}

} // namespace orderly::foresight_lasting_test
