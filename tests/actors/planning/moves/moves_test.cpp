// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/moves/moves.hpp"
#include "actors/planning/moves/placement.hpp"
#include "actors/planning/search/exact.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

namespace orderly::moves_test {

using namespace orderly::planning;

namespace {

/// Two nodes with room, a third as `third` says, and one mirrored instance.
cluster with_third(const std::string& third, const std::string& tags = {}) {
  return samples::read("g|u|preferred||\n\n"
                       "n1|8000|0|7000|50000|40000|4|N|u|4\n"
                       "n2|8000|0|8000|50000|40000|4|N|u|4\n"
                       + third
                       + "\n\n"
                         "i1|1000|10000|4|running|Y|n1|n2|drbd|s:a\n\n"
                       + tags + "\n");
}

refusal try_all_the_way(const cluster& c, move_kind kind, bool soft = false) {
  placement p{c, 0, {}};
  return try_move(p, {0, kind, 2}, soft).why;
}

} // namespace

TEST_CASE("a node without memory takes no primary, not even by force") {
  auto c = with_third("n3|8000|0|1000|50000|40000|4|N|u|4");
  CHECK(try_all_the_way(c, move_kind::replace_primary) == refusal::memory);
  CHECK(try_all_the_way(c, move_kind::replace_primary, true)
        == refusal::memory);
}

TEST_CASE("a node without disk takes no mirror, not even by force") {
  auto c = with_third("n3|8000|0|8000|50000|10000|4|N|u|4");
  CHECK(try_all_the_way(c, move_kind::replace_secondary) == refusal::disk);
  CHECK(try_all_the_way(c, move_kind::replace_secondary, true)
        == refusal::disk);
}

TEST_CASE("the CPU ratio is a wish that force overrides") {
  auto c = with_third("n3|8000|0|8000|50000|40000|1|N|u|4");
  CHECK(try_all_the_way(c, move_kind::replace_primary) == refusal::cpu);
  CHECK(try_all_the_way(c, move_kind::replace_primary, true) == refusal::none);
}

TEST_CASE("two instances with one exclusion tag do not share a node") {
  auto c
    = with_third("n3|8000|0|7000|50000|40000|8|N|u|4", "htools:iextags:s\n");
  auto other = c.instances[0];
  other.name = "i2";
  other.primary = 2;
  c.instances.push_back(other);
  CHECK(try_all_the_way(c, move_kind::replace_primary) == refusal::tags);
  CHECK(try_all_the_way(c, move_kind::replace_primary, true) == refusal::none);
}

TEST_CASE("an instance is not migrated to a node that lacks its node's tag") {
  auto c = with_third("n3|8000|0|8000|50000|40000|8|N|u|4",
                      "htools:migration:hv\nhtools:allowmigration:hv:1::"
                      "hv:2\n");
  c.nodes[0].tags = {"hv:1"};
  CHECK(try_all_the_way(c, move_kind::replace_and_failover)
        == refusal::migration);
  c.nodes[2].tags = {"hv:2"};
  CHECK(try_all_the_way(c, move_kind::replace_and_failover) == refusal::none);
}

TEST_CASE("a node that would become short of memory takes no mirror") {
  auto c = with_third("n3|8000|0|1000|50000|40000|8|N|u|4");
  CHECK(try_all_the_way(c, move_kind::replace_secondary) == refusal::memory);
  CHECK(try_all_the_way(c, move_kind::replace_secondary, true)
        == refusal::none);
}

TEST_CASE("what moves leave is what the moved cluster is built as") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    samples::flavour f{seed % 2 == 0, seed % 3 == 0, seed % 4 == 0,
                       seed % 3 == 1, false};
    auto c = samples::draw(seed, 6, 30, f);
    placement p{c, 0, {}};
    search_rules rules;
    rules.min_gain_limit = 0;
    auto found = balance(p, rules);
    auto moved = moved_cluster(c, p);
    placement again{moved, 0, {}};
    CHECK(again.places == p.places);
    for (std::size_t n = 0; n < p.states.size(); ++n) {
      INFO("seed " << seed << " node " << n << " after " << found.steps.size());
      auto x = p.states[n];
      auto y = again.states[n];
      // What moves did not touch keeps the judgement of the start.
      x.short_of_memory = y.short_of_memory;
      CHECK(x == y);
    }
    CHECK(again.by_secondary == p.by_secondary);
    CHECK(again.by_primary == p.by_primary);
    CHECK(again.shared_locations == p.shared_locations);
  }
}

} // namespace orderly::moves_test
