// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/score/shared_n1.hpp"
#include "actors/planning/search/better.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

#include <limits>

namespace orderly::search_better_test {

using namespace orderly::planning;

namespace {

cluster drawn(std::uint64_t seed) {
  return samples::draw(
    seed, 2 + static_cast<int>(seed % 7), 20,
    {seed % 2 == 0, seed % 3 == 0, false, seed % 4 == 0, false});
}

constexpr auto no_bound = std::numeric_limits<std::int64_t>::max();

} // namespace

TEST_CASE("the better plan ends no worse than either search") {
  int exact_wins = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed);
    placement p{c, 0, {}};
    auto one = p;
    auto other = p;
    better_rules how;
    how.fast.shared_n1 = shared_n1_use::off;
    auto fast = balance_fast(one, {}, how.fast);
    auto exact = balance(other, {});
    auto x = balance_better(p, {}, how);
    CHECK(x.plan.found.final <= fast.found.final + 1e-9);
    CHECK(x.plan.found.final <= exact.final + 1e-9);
    CHECK(exact_score(p) == x.plan.found.final);
    exact_wins += x.by_exact ? 1 : 0;
  }
  CHECK(exact_wins > 0);
}

TEST_CASE("no better plan uncovers a node where that is forbidden") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed);
    placement p{c, 0, {}};
    auto walked = p;
    shared_n1 cover{walked};
    auto x = balance_better(p, {}, {});
    for (const auto& s : x.plan.found.steps) {
      make_move(walked, s.what, try_move(walked, s.what, false));
      CHECK_FALSE(cover.follow(walked, s.what.instance, s.from));
    }
    CHECK(walked.places == p.places);
  }
}

TEST_CASE("the exact search ends before a step that is beyond its effort") {
  auto c = drawn(5);
  placement all{c, 0, {}};
  placement none = all;
  placement some = all;
  auto unbounded = no_bound;
  auto whole = balance_within(all, {}, unbounded);
  REQUIRE(whole.steps.size() > 2);
  std::int64_t nothing = 0;
  CHECK(balance_within(none, {}, nothing).steps.empty());
  auto most = (no_bound - unbounded) / 2;
  auto left = most;
  auto part = balance_within(some, {}, left);
  CHECK(part.steps.size() < whole.steps.size());
  CHECK_FALSE(part.steps.empty());
  CHECK(left >= 0);
  CHECK(left < most);
}

TEST_CASE("of equal scores the plan with fewer net moves is taken") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed);
    placement p{c, 0, {}};
    auto moved = [before = p](const placement& after) {
      int result = 0;
      for (std::size_t i = 0; i < before.places.size(); ++i)
        result += before.places[i] == after.places[i] ? 0 : 1;
      return result;
    };
    auto one = p;
    auto fast = balance_fast(one, {}, {});
    auto x = balance_better(p, {}, {});
    if (x.plan.found.final > fast.found.final - 1e-9)
      CHECK(moved(p) <= moved(one));
  }
}

TEST_CASE("what is over ends the exact search as well") {
  auto c = drawn(5);
  placement p{c, 0, {}};
  auto effort = no_bound;
  CHECK(balance_within(p, {}, effort, [] { return true; }).steps.empty());
}

} // namespace orderly::search_better_test
