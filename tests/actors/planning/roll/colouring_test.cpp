// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/colouring.hpp"

#include <catch2/catch.hpp>

namespace orderly::roll_colouring_test {

using namespace orderly::planning;
using classes = std::vector<std::vector<int>>;

namespace {

reboot_graph graph(int first, std::vector<std::vector<int>> neighbours) {
  return {first, std::move(neighbours)};
}

} // namespace

TEST_CASE("a colour is the first that no neighbour has") {
  // A path: its middle has two edges and comes first.
  auto g = graph(0, {{1}, {0, 2}, {1}});
  for (const auto& x : all_colourings(g))
    CHECK(x.classes == classes{{1}, {0, 2}});
}

TEST_CASE("of vertices with as many edges the last is coloured first") {
  auto g = graph(4, {{5}, {4}});
  for (const auto& x : all_colourings(g))
    CHECK(x.classes == classes{{5}, {4}});
}

TEST_CASE("each order has colours of its own, and each edge counts") {
  // The reference's answers for pairs with these numbers of instances.
  auto g = graph(0, {{1, 1, 2, 2}, {0, 0, 4}, {0, 0, 3}, {2, 4, 4}, {1, 3, 3}});
  CHECK(colour_by_degree(g).classes == classes{{0, 4}, {1, 3}, {2}});
  CHECK(colour_by_saturation(g).classes == classes{{0, 3}, {2, 4}, {1}});
  CHECK(colour_by_coloured_edges(g).classes == classes{{0, 4}, {1, 2}, {3}});
}

TEST_CASE("a loop makes a vertex come earlier and hinders no colour") {
  auto g = graph(0, {{0, 1}, {0}});
  CHECK(colour_by_degree(g).classes == classes{{0}, {1}});
}

TEST_CASE("the first of the smallest is taken, and shown after the alphabet") {
  std::array<colouring, 3> all{{{"LF", {{0}, {1, 2}}},
                                {"Dsatur", {{0}, {1}, {2}}},
                                {"Dcolor", {{0, 1}, {2}}}}};
  CHECK(smallest_of(all).name == "LF");
  CHECK(text_of(all)
        == "Dcolor: 2 (2,1) TIE LF: 2 (1,2) LOOSE Dsatur: 3 (1,1,1)");
}

} // namespace orderly::roll_colouring_test
