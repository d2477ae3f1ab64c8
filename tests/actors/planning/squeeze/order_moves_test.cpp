// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/squeeze/order_moves.hpp"
#include "tests/support/planning/nodes_with.hpp"

#include <catch2/catch.hpp>

namespace orderly::squeeze_order_moves_test {

using namespace orderly::planning;
using samples::nodes_with;

namespace {

ordered_moves ordered(const cluster& c, const std::vector<int>& goal) {
  placement p{c, 0, {}};
  std::vector<place> places;
  for (auto n : goal)
    places.push_back({n, -1});
  return order_moves(p, places);
}

std::vector<int> moved(const ordered_moves& x) {
  std::vector<int> result;
  for (const auto& s : x.steps)
    result.push_back(s.what.instance);
  return result;
}

} // namespace

TEST_CASE("who waits for room moves behind the one that makes it") {
  auto c = nodes_with({{3000}, {6000, 2500}, {}, {}, {}});
  auto x = ordered(c, {1, 3, 1});
  CHECK(x.whole);
  CHECK(moved(x) == std::vector<int>{1, 0});
}

TEST_CASE("those that wait for each other take a detour") {
  auto c = nodes_with({{6000}, {6500}, {}, {}});
  auto x = ordered(c, {1, 0});
  CHECK(x.whole);
  CHECK(x.steps.size() == 3);
}

TEST_CASE("a move that would uncover a node waits, or is not made at all") {
  // Only the empty node could take over 6000, and not beside 4500.
  auto c = nodes_with({{6000}, {4500, 4500}, {}});
  auto x = ordered(c, {0, 2, 1});
  CHECK_FALSE(x.whole);
  CHECK(x.steps.empty());
  // Together with the other one it makes room elsewhere.
  c = nodes_with({{6000}, {4500, 4500}, {}, {5000}});
  x = ordered(c, {0, 2, 1, 2});
  CHECK(x.whole);
  CHECK(moved(x) == std::vector<int>{3, 1});
}

} // namespace orderly::squeeze_order_moves_test
