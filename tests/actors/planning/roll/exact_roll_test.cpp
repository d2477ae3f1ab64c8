// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/exact_roll.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

namespace orderly::roll_exact_test {

using namespace orderly::planning;

namespace {

/// Nodes with so much free memory and nothing else that is scarce.
cluster nodes_with(const std::vector<int>& free, const std::string& instances) {
  std::string nodes;
  for (std::size_t n = 0; n < free.size(); ++n)
    nodes += "n" + std::to_string(n) + "|90000|0|" + std::to_string(free[n])
             + "|90000|80000|4|N|u\n";
  return samples::read("g|u|preferred||\n\n" + nodes + "\n" + instances
                       + "\n\n");
}

result<std::vector<reboot_round>>
rounds_of(const cluster& c, std::vector<std::vector<int>> classes,
          roll_rules rules = {}) {
  return exact_roll(c, std::vector<bool>(c.nodes.size(), true),
                    {"given", std::move(classes)}, rules);
}

std::vector<std::vector<int>> nodes_of(const std::vector<reboot_round>& x) {
  std::vector<std::vector<int>> result;
  for (const auto& r : x)
    result.push_back(r.nodes);
  return result;
}

using nodes = std::vector<std::vector<int>>;

} // namespace

TEST_CASE("an instance without a mirror goes to the first node with memory") {
  auto c = nodes_with({50000, 1000, 2001}, "a|2000|10|1|running|Y|n0||ext|\n");
  auto r = rounds_of(c, {{0}});
  REQUIRE(r);
  CHECK(r->at(0).moves == std::vector<round_move>{{0, {2, -1}}});
}

TEST_CASE("a class is divided where the others have no room for all of it") {
  auto c = nodes_with({50000, 50000, 3001}, "a|3000|10|1|running|Y|n0||ext|\n"
                                            "b|3000|10|1|running|Y|n1||ext|\n");
  // Each alone has the other, too.
  auto r = rounds_of(c, {{0, 1}, {2}});
  REQUIRE(r);
  CHECK(nodes_of(*r) == nodes{{0}, {1}, {2}});
  r = rounds_of(c, {{0, 1}, {2}}, {.ignore_non_redundant = true});
  REQUIRE(r);
  CHECK(nodes_of(*r) == nodes{{0, 1}, {2}});
}

TEST_CASE("guests of a node that is emptied later move on") {
  auto c = nodes_with({50000, 50000, 50000}, "a|300|10|1|running|Y|n0||ext|\n");
  auto r = rounds_of(c, {{0, 1}, {2}});
  REQUIRE(r);
  CHECK(r->at(0).moves == std::vector<round_move>{{0, {2, -1}}});
}

TEST_CASE("a node that nobody has room for is an error") {
  auto c = nodes_with({50000, 2000}, "a|2000|10|1|running|Y|n0||ext|\n");
  auto r = rounds_of(c, {{0, 1}});
  REQUIRE_FALSE(r);
  CHECK(r.why().text == "Not enough capacity to move non-redundant instances");
}

TEST_CASE("a full evacuation migrates and then makes new mirrors") {
  auto c
    = nodes_with({50000, 50000, 50000}, "a|300|10|1|running|Y|n0|n1|drbd|\n");
  auto r = rounds_of(c, {{0}, {1}, {2}}, {.full_evacuation = true});
  REQUIRE(r);
  CHECK(r->at(0).moves == std::vector<round_move>{{0, {1, 2}}});
  CHECK(r->at(1).moves == std::vector<round_move>{{0, {0, 2}}});
  c.nodes[1].free_memory = 300;
  r = rounds_of(c, {{0}, {1}, {2}}, {.full_evacuation = true});
  REQUIRE_FALSE(r);
  CHECK(r.why().text == "Failed to migrate instances off nodes");
  c = nodes_with({50000, 50000}, "a|300|10|1|running|Y|n0|n1|drbd|\n");
  r = rounds_of(c, {{0}, {1}}, {.full_evacuation = true});
  REQUIRE_FALSE(r);
  CHECK(r.why().text == "Not enough capacity to move secondaries");
}

TEST_CASE("no instance goes where its storage cannot be reached") {
  auto c = nodes_with({50000, 50000, 50000}, "a|300|10|1|running|Y|n0||ext|\n");
  c.nodes[1].pools.emplace();
  auto r = rounds_of(c, {{0}});
  REQUIRE(r);
  CHECK(r->at(0).moves == std::vector<round_move>{{0, {2, -1}}});
}

TEST_CASE("rounds shrink, but the master's is the last and it the last in it") {
  auto c = nodes_with({9, 9, 9, 9, 9, 9}, "");
  c.nodes[3].master = true;
  auto r = rounds_of(c, {{0}, {3, 4, 5}, {1, 2}});
  REQUIRE(r);
  CHECK(nodes_of(*r) == nodes{{1, 2}, {0}, {4, 5, 3}});
}

} // namespace orderly::roll_exact_test
