// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/storm.hpp"

#include <catch2/catch.hpp>

namespace orderly::storm::guards_storm_test {

namespace {

constexpr instant t0{hours{470'000}};
const rules usual{2, 20, seconds{60}};

} // namespace

TEST_CASE("the limit is the larger of number and percentage, rounded down") {
  CHECK(limit(usual, 5) == 2);
  CHECK(limit(usual, 14) == 2);
  CHECK(limit(usual, 15) == 3);
  CHECK(limit(usual, 40) == 8);
  CHECK(limit({0, 0, {}}, 40) == 0);
  CHECK(limit({2, 40, {}}, 4'000'000'000) == 1'600'000'000);
}

TEST_CASE("the limit never reaches half of the nodes") {
  CHECK(limit({9, 100, {}}, 3) == 1);
  CHECK(limit({9, 100, {}}, 4) == 1);
  CHECK(limit({9, 100, {}}, 5) == 2);
  CHECK(limit({9, 100, {}}, 100) == 49);
  // Of two nodes one may be treated: there is no majority to lose.
  CHECK(limit({9, 100, {}}, 2) == 1);
}

TEST_CASE("as many as the limit are no storm, one more is") {
  auto s = step({}, 8, 40, usual, t0);
  CHECK_FALSE(s.open);
  CHECK(may_act(s, usual).go);
  CHECK(may_act(s, usual).why.empty());
  s = step(s, 9, 40, usual, t0 + seconds{1});
  CHECK(s.open);
  CHECK(s.since == t0 + seconds{1});
  CHECK_FALSE(may_act(s, usual).go);
  CHECK(may_act(s, usual).why
        == "storm: 9 of 40 nodes are in trouble, limit 8");
}

TEST_CASE("a storm begins once") {
  auto s = step({}, 9, 40, usual, t0);
  s = step(s, 12, 40, usual, t0 + seconds{30});
  CHECK(s.since == t0);
  CHECK(s.troubled == 12);
}

TEST_CASE("a storm is over after the cooldown and not before") {
  auto s = step({}, 9, 40, usual, t0);
  s = step(s, 8, 40, usual, t0 + seconds{10});
  CHECK(s.open);
  auto held = may_act(s, usual);
  CHECK_FALSE(held.go);
  CHECK(held.why.find("calm for 60 s") != std::string::npos);
  s = step(s, 8, 40, usual, t0 + millis{69'999});
  CHECK(s.open);
  s = step(s, 8, 40, usual, t0 + seconds{70});
  CHECK_FALSE(s.open);
  CHECK(may_act(s, usual).go);
}

TEST_CASE("trouble during the cooldown begins it anew") {
  auto s = step({}, 9, 40, usual, t0);
  s = step(s, 8, 40, usual, t0 + seconds{10});
  s = step(s, 9, 40, usual, t0 + seconds{65});
  s = step(s, 0, 40, usual, t0 + seconds{66});
  s = step(s, 0, 40, usual, t0 + seconds{120});
  CHECK(s.open);
  s = step(s, 0, 40, usual, t0 + seconds{126});
  CHECK_FALSE(s.open);
  s = step(s, 9, 40, usual, t0 + seconds{200});
  CHECK(s.open);
  CHECK(s.since == t0 + seconds{200});
  s = step(s, 2, 40, usual, t0 + seconds{201});
  CHECK(s.open);
}

TEST_CASE("without a cooldown a storm ends with its cause") {
  rules r{2, 20, millis{0}};
  auto s = step(step({}, 3, 5, r, t0), 2, 5, r, t0);
  CHECK_FALSE(s.open);
}

TEST_CASE("fewer nodes make the same trouble a storm") {
  auto s = step({}, 3, 15, usual, t0);
  CHECK_FALSE(s.open);
  CHECK(step(s, 3, 14, usual, t0).open);
}

} // namespace orderly::storm::guards_storm_test
