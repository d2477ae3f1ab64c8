// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/squeeze/packing.hpp"
#include "tests/support/planning/nodes_with.hpp"

#include <catch2/catch.hpp>

namespace orderly::squeeze_packing_test {

using namespace orderly::planning;
using samples::nodes_with;

namespace {

struct packed {
  bool done = false;
  std::vector<int> where;
};

packed pack(const cluster& c, const std::vector<bool>& stays,
            const spare_room& spare, packing_order how, bool partly = false) {
  placement p{c, 0, {}};
  packed result;
  {
    trial t{p};
    result.done = packing{p, t, stays, spare, how}.run(partly);
    t.keep();
  }
  for (auto x : p.places)
    result.where.push_back(x.primary);
  return result;
}

} // namespace

TEST_CASE("instances go to the roomiest node, or to the tightest") {
  auto c = nodes_with({{4900}, {2000}, {1000, 3000}});
  std::vector<bool> stays{true, true, false};
  auto x = pack(c, stays, {}, packing_order::roomy);
  CHECK(x.done);
  CHECK(x.where == std::vector<int>{0, 1, 0, 1});
  x = pack(c, stays, {}, packing_order::tight);
  CHECK(x.where == std::vector<int>{0, 1, 0, 0});
}

TEST_CASE("each node that stays keeps the spare room") {
  auto c = nodes_with({{4900}, {2000}, {1000, 3000}});
  std::vector<bool> stays{true, true, false};
  auto x = pack(c, stays, {2000, 0}, packing_order::tight);
  CHECK(x.where == std::vector<int>{0, 1, 1, 0});
  CHECK(x.done);
  CHECK_FALSE(pack(c, stays, {5000, 0}, packing_order::tight).done);
  // Four virtual CPUs each, of which the node itself takes one.
  c.groups[0].policy.vcpu_ratio = 0.25;
  CHECK(pack(c, stays, {0, 1}, packing_order::tight).done);
  CHECK_FALSE(pack(c, stays, {0, 2}, packing_order::tight).done);
}

TEST_CASE(
  "a node that stays and lacks the spare room is relieved by one move") {
  auto c = nodes_with({{1000, 3000, 5500}, {}});
  std::vector<bool> stays{true, true};
  auto x = pack(c, stays, {2000, 0}, packing_order::roomy);
  CHECK(x.done);
  CHECK(x.where == std::vector<int>{0, 1, 0});
}

TEST_CASE("somebody smaller makes way where nobody has room") {
  // 4000 and 3500 free: 5000 fits only where 1500 leaves.
  auto c = nodes_with({{4500, 1500}, {6500}, {5000}});
  auto x = pack(c, {true, true, false}, {}, packing_order::roomy);
  CHECK(x.done);
  CHECK(x.where == std::vector<int>{0, 1, 1, 0});
  // Not where the one that makes way finds no place itself.
  c = nodes_with({{4500, 1500}, {9000}, {5000}});
  CHECK_FALSE(pack(c, {true, true, false}, {}, packing_order::roomy).done);
}

TEST_CASE("partly, all go that can; what has no place stays where it is") {
  auto c = nodes_with({{8000}, {5000, 1000}});
  auto x = pack(c, {true, false}, {}, packing_order::roomy, true);
  CHECK(x.where == std::vector<int>{0, 1, 0});
  CHECK_FALSE(pack(c, {true, false}, {}, packing_order::roomy).done);
}

} // namespace orderly::squeeze_packing_test
