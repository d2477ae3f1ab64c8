// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/fast_roll.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace orderly::roll_fast_test {

using namespace orderly::planning;

namespace {

constexpr std::int64_t effort = 100'000;

/// Nodes with so much free memory and nothing else that is scarce.
cluster nodes_with(const std::vector<int>& free, const std::string& instances) {
  std::string nodes;
  for (std::size_t n = 0; n < free.size(); ++n)
    nodes += "n" + std::to_string(n) + "|90000|0|" + std::to_string(free[n])
             + "|90000|80000|4|N|u\n";
  return samples::read("g|u|preferred||\n\n" + nodes + "\n" + instances
                       + "\n\n");
}

rolled roll(const cluster& c, roll_rules rules = {}) {
  placement p{c, std::nullopt, {}};
  std::vector<bool> wanted;
  for (const auto& n : c.nodes)
    wanted.push_back(!n.offline);
  return fast_roll(p, wanted, rules, effort);
}

/// The round of each node, as a letter of who is with whom.
bool together(const rolled& x, int a, int b) {
  return std::any_of(x.rounds.begin(), x.rounds.end(), [&](const auto& r) {
    auto has = [&r](int n) {
      return std::find(r.nodes.begin(), r.nodes.end(), n) != r.nodes.end();
    };
    return has(a) && has(b);
  });
}

std::string line(const char* name, int memory, const char* places,
                 const char* disks = "drbd") {
  return std::string{name} + "|" + std::to_string(memory) + "|10|1|running|Y|"
         + places + "|" + disks + "|\n";
}

} // namespace

TEST_CASE("the two nodes of a mirror are not down together") {
  auto c = nodes_with({50000, 50000, 50000}, line("a", 100, "n0|n1"));
  auto x = roll(c);
  CHECK(x.rounds.size() == 2);
  CHECK_FALSE(together(x, 0, 1));
  // Nor are they when all is shut down, for the disks are there.
  CHECK(roll(c, {.offline_maintenance = true}).rounds.size() == 2);
}

TEST_CASE("two nodes may share a mirror's node if it has memory for both") {
  auto both = line("a", 100, "n0|n2") + line("b", 100, "n1|n2");
  auto x = roll(nodes_with({50000, 50000, 201}, both));
  CHECK(x.rounds.size() == 2);
  CHECK(together(x, 0, 1));
  x = roll(nodes_with({50000, 50000, 200}, both));
  CHECK(x.rounds.size() == 3);
  CHECK_FALSE(together(x, 0, 1));
  CHECK(
    roll(nodes_with({50000, 50000, 200}, both), {.offline_maintenance = true})
      .rounds.size()
    == 2);
}

TEST_CASE("a node whose mirrors lack memory is in no round, and is named") {
  auto x = roll(nodes_with({50000, 4512, 50000}, line("a", 40000, "n0|n1")));
  REQUIRE(x.stuck.size() == 1);
  CHECK(x.stuck[0].node == 0);
  CHECK(x.stuck[0].why.why == obstacle::mirror_memory);
  CHECK(x.stuck[0].why.needed == 40000);
  CHECK(x.stuck[0].why.free == 4512);
  CHECK(x.rounds.size() == 1);
}

TEST_CASE("a mirror on an offline node holds its instance if that runs") {
  auto c = nodes_with({50000, 50000}, line("a", 100, "n0|n1"));
  c.nodes[1].offline = true;
  auto x = roll(c);
  REQUIRE(x.stuck.size() == 1);
  CHECK(x.stuck[0].why.why == obstacle::mirror_offline);
  CHECK(x.stuck[0].why.other == 1);
  c.instances[0].status = instance_status::admin_down;
  CHECK(roll(c).stuck.empty());
}

TEST_CASE(
  "what can run anywhere goes where memory is left, or holds its node") {
  auto c = nodes_with({50000, 900, 1101}, line("a", 1000, "n0|", "ext"));
  auto x = roll(c);
  CHECK(x.stuck.empty());
  REQUIRE(x.rounds.size() == 2);
  CHECK_FALSE(together(x, 0, 2));
  for (const auto& r : x.rounds)
    if (!r.moves.empty())
      CHECK(r.moves == std::vector<round_move>{{0, {2, -1}}});
  x = roll(nodes_with({50000, 900, 1000}, line("a", 1000, "n0|", "ext")));
  REQUIRE(x.stuck.size() == 1);
  CHECK(x.stuck[0].why.why == obstacle::memory);
  CHECK(x.stuck[0].why.free == 1000);
  CHECK(roll(nodes_with({50000, 900, 1000}, line("a", 1000, "n0|", "ext")),
             {.ignore_non_redundant = true})
          .rounds.size()
        == 1);
}

TEST_CASE("instances are packed where they do not fit when they are spread") {
  // Spread, 600 goes to n1, 500 to n2, and 500 nowhere.
  auto all = line("a", 600, "n0|", "ext") + line("b", 500, "n0|", "ext")
             + line("c", 500, "n0|", "ext");
  CHECK(roll(nodes_with({50000, 1001, 601}, all)).stuck.empty());
  CHECK(roll(nodes_with({50000, 1000, 601}, all)).stuck.size() == 1);
}

TEST_CASE("what has its disks on one node alone is not moved") {
  auto x = roll(nodes_with({50000, 50000}, line("a", 100, "n0|", "plain")
                                             + line("b", 100, "n1|", "file")));
  CHECK(x.rounds.size() == 1);
  CHECK(x.rounds[0].moves.empty());
}

TEST_CASE(
  "a full evacuation takes mirrors away, where there is disk for them") {
  auto c = nodes_with({50000, 50000, 50000}, line("a", 100, "n0|n1"));
  auto x = roll(c, {.full_evacuation = true});
  CHECK(x.stuck.empty());
  // The third must stay up for both.
  CHECK(x.rounds.size() == 3);
  for (const auto& r : x.rounds)
    if (r.nodes == std::vector<int>{0})
      CHECK(r.moves == std::vector<round_move>{{0, {1, 2}}});
  c.nodes[2].free_disk = 10;
  x = roll(c, {.full_evacuation = true});
  REQUIRE(x.stuck.size() == 2);
  CHECK(x.stuck[0].why.why == obstacle::mirror_disk);
  c.nodes[0].offline = true;
  x = roll(c, {.full_evacuation = true});
  REQUIRE(x.stuck.size() == 1);
  CHECK(x.stuck[0].why.why == obstacle::primary_offline);
}

TEST_CASE("what is still to come holds no node") {
  auto c
    = nodes_with({50000, 50000}, "a|100|10|1|running|Y|n0|n1|drbd||1|-|Y\n");
  CHECK(roll(c).rounds.size() == 1);
}

TEST_CASE("tags that forbid a migration hold a node") {
  auto c = nodes_with({50000, 50000}, line("a", 100, "n0|n1"));
  c.tags = {"htools:migration:hv"};
  c.nodes[0].tags = {"hv:x"};
  auto x = roll(c);
  REQUIRE(x.stuck.size() == 1);
  CHECK(x.stuck[0].why.why == obstacle::migration);
}

TEST_CASE("rounds of independent groups are the same rounds") {
  auto c = samples::read("g|u|preferred||\nh|v|preferred||\n\n"
                         "n0|9000|0|8000|9000|9000|4|N|u\n"
                         "n1|9000|0|8000|9000|9000|4|N|u\n"
                         "n2|9000|0|8000|9000|9000|4|N|v\n"
                         "n3|9000|0|8000|9000|9000|4|N|v\n\n"
                         + line("a", 100, "n0|n1") + line("b", 100, "n2|n3")
                         + line("c", 100, "n0|", "ext") + "\n\n");
  auto x = roll(c);
  CHECK(x.rounds.size() == 2);
  for (const auto& r : x.rounds)
    for (const auto& m : r.moves)
      if (m.instance == 2)
        CHECK(m.where.primary == 1);
}

TEST_CASE("a bound counts cliques, a mirror's memory, and that of all") {
  auto ring = line("a", 100, "n0|n1") + line("b", 100, "n1|n2")
              + line("c", 100, "n2|n0");
  CHECK(roll(nodes_with({50000, 50000, 50000}, ring)).bound.clique == 3);
  // n3 lets one of three through at a time, and is down alone.
  auto star = line("a", 100, "n0|n3") + line("b", 100, "n1|n3")
              + line("c", 100, "n2|n3");
  CHECK(roll(nodes_with({50000, 50000, 50000, 101}, star)).bound.capacity == 4);
  // 3000 must move past 2 times 1001 free, one of which is down.
  auto shared = line("a", 1000, "n0|", "ext") + line("b", 1000, "n0|", "ext")
                + line("c", 1000, "n1|", "ext");
  auto x = roll(nodes_with({1001, 1001, 1001}, shared));
  CHECK(x.bound.capacity == 2);
}

} // namespace orderly::roll_fast_test
