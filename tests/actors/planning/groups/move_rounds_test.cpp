// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/move_rounds.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace orderly::move_rounds_test {

using namespace orderly::planning;

namespace {

bool are_apart(const std::vector<step>& steps, const move_rounds& rounds) {
  std::set<std::pair<int, int>> busy;
  for (std::size_t k = 0; k < steps.size(); ++k)
    for (auto n : {steps[k].from.primary, steps[k].from.secondary,
                   steps[k].to.primary, steps[k].to.secondary})
      if (n >= 0 && !busy.insert({rounds.of[k], n}).second)
        return false;
  return true;
}

std::vector<step> drawn(std::uint64_t seed, bool mirrors) {
  samples::dice d{seed};
  std::vector<step> result;
  for (auto k = d.roll(80); k > 0; --k) {
    step s;
    s.what.instance = k;
    s.from.primary = d.roll(7);
    s.to.primary = 10 + d.roll(9);
    if (mirrors && d.chance(30)) {
      s.from.secondary = (s.from.primary + 1) % 7;
      s.to.secondary = 10 + (s.to.primary - 9) % 9;
    }
    result.push_back(s);
  }
  return result;
}

} // namespace

TEST_CASE("moves of shared storage take as many rounds as the busiest node has "
          "moves") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    auto steps = drawn(seed, false);
    auto rounds = rounds_of(steps);
    CHECK(rounds.count == rounds.most_moves);
    CHECK(are_apart(steps, rounds));
  }
}

TEST_CASE("no node has a part in two moves of a round, with mirrors too") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    auto steps = drawn(seed, true);
    auto rounds = rounds_of(steps);
    CHECK(are_apart(steps, rounds));
    CHECK(rounds.count >= rounds.most_moves);
    auto sorted = steps;
    sort_by_rounds(sorted, rounds);
    CHECK(std::is_sorted(rounds.of.begin(), rounds.of.end()));
    CHECK(are_apart(sorted, rounds));
  }
}

} // namespace orderly::move_rounds_test
