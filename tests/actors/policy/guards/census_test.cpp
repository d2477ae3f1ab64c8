// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Counting by changes gives what counting all gives.

#include "actors/policy/guards/census.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <string>

#include <rapidcheck.h>

namespace orderly::guards_census_test {

namespace {

node_standing standing(int node, int what) {
  node_standing x;
  x.node = "n" + std::to_string(node);
  x.phase = what % 2 == 0 ? ha_phase::available : ha_phase::disabled;
  x.counted = what / 2 % 2 == 0;
  x.troubled = what / 4 % 2 == 0;
  return x;
}

} // namespace

TEST_CASE("a census by changes is one of all nodes, whatever changed") {
  CHECK(rc::check([] {
    census x;
    std::map<node_name, node_standing> all;
    for (int i = *rc::gen::inRange(1, 40); i > 0; --i) {
      auto s = standing(*rc::gen::inRange(0, 6), *rc::gen::inRange(0, 8));
      x.take(s);
      all[s.node] = s;
      std::uint32_t nodes = 0;
      std::uint32_t troubled = 0;
      for (const auto& [name, y] : all) {
        if (!y.counted)
          continue;
        ++nodes;
        troubled += y.troubled ? 1 : 0;
      }
      RC_ASSERT(x.nodes() == nodes);
      RC_ASSERT(x.troubled() == troubled);
    }
  }));
}

TEST_CASE("the last standing of a node is found, and of no other") {
  census x;
  x.take(standing(1, 0));
  x.take(standing(1, 4));
  REQUIRE(x.find("n1") != nullptr);
  CHECK_FALSE(x.find("n1")->troubled);
  CHECK(x.find("n2") == nullptr);
}

} // namespace orderly::guards_census_test
