// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Nodes that are out of service, on drawn clusters: no search fills one, and
// none copies from one that is dead.

#include "actors/planning/place/evacuate.hpp"
#include "actors/planning/search/better.hpp"
#include "actors/planning/search/explain.hpp"
#include "actors/planning/search/fast.hpp"
#include "tests/support/planning/in_service.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

namespace orderly::search_in_service_test {

using namespace orderly::planning;

namespace {

/// Few nodes, full of mirrors, one or more of them offline; of those some are
/// dead, and some only drained.
cluster drawn(std::uint64_t seed) {
  samples::flavour f;
  f.offline = true;
  f.tags = seed % 5 == 0;
  f.loads = seed % 2 == 0;
  auto c = samples::draw(seed, 3 + static_cast<int>(seed % 5), 30, f);
  c.nodes.back().offline = true;
  samples::dice d{seed};
  for (auto& n : c.nodes)
    n.dead = n.offline && d.chance(60);
  return c;
}

struct judged {
  int steps = 0;
  int off_dead = 0; ///< that left a dead home
};

void check_steps(const cluster& c, const std::vector<step>& steps,
                 judged& into) {
  for (const auto& s : steps) {
    check_in_service(c, s.what, s.from);
    // A search starts nothing on a drained node, either.
    for (auto n : asked_of(s.what, s.from).hosts)
      CHECK_FALSE(c.nodes[at(n)].offline);
    ++into.steps;
    into.off_dead += c.nodes[at(s.from.primary)].dead ? 1 : 0;
  }
}

} // namespace

TEST_CASE("no search fills what is offline, or copies from what is dead") {
  judged seen;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed);
    search_rules rules;
    rules.evacuate = seed % 4 == 0;
    rules.restricted_migration = seed % 7 == 0;
    placement fast{c, 0, {}};
    check_steps(c, balance_fast(fast, rules, {}).found.steps, seen);
    placement better{c, 0, {}};
    check_steps(c, balance_better(better, rules, {}).plan.found.steps, seen);
    placement exact{c, 0, {}};
    check_steps(c, balance(exact, rules).steps, seen);
  }
  CHECK(seen.steps > 1000);
  CHECK(seen.off_dead > 50);
}

TEST_CASE("no evacuation fills what is offline, or copies from what is dead") {
  int moves = 0;
  int stuck = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed);
    placement p{c, 0, {}};
    auto before = p.places;
    auto what = std::array{leave::primary, leave::secondary,
                           leave::all}[static_cast<std::size_t>(seed % 3)];
    std::vector<int> all;
    for (int i = 0; i < p.instance_count(); ++i)
      all.push_back(i);
    auto done = evacuate(p, all, what, true);
    stuck += static_cast<int>(done.failed.size());
    for (const auto& x : done.moved) {
      auto from = before[at(x.instance)];
      for (const auto& m : x.moves) {
        check_in_service(c, m, from);
        from = destination(from, m);
        ++moves;
      }
    }
  }
  CHECK(moves > 500);
  CHECK(stuck > 50);
}

TEST_CASE("who has no living copy stays, and it is said why") {
  auto c = samples::draw(1, 4, 12, {});
  auto& x = c.instances.front();
  x.disks = disk_template::drbd;
  x.primary = 2;
  x.secondary = 3;
  for (auto n : {2, 3})
    c.nodes[at(n)].offline = c.nodes[at(n)].dead = true;
  placement p{c, 0, {}};
  CHECK(allowed_kinds(p, 0, {}).empty());
  CHECK(standing_of(p, 0, {}, 0).why == hold::no_copy);
  for (auto what : {leave::primary, leave::secondary, leave::all}) {
    auto done = evacuate(p, {0}, what, true);
    CHECK(done.moved.empty());
    REQUIRE(done.failed.size() == 1);
    CHECK(done.failed.front().why.find("offline") != std::string::npos);
  }
}

TEST_CASE("no mirror is made on a node out of service, whoever asks") {
  auto c = samples::draw(1, 4, 12, {});
  c.nodes[3].offline = true;
  placement p{c, 0, {}};
  using k = move_kind;
  int asked = 0;
  for (int i = 0; i < p.instance_count(); ++i)
    for (auto kind : {k::replace_secondary, k::replace_and_failover,
                      k::replace_primary, k::failover_and_replace}) {
      auto where = p.places[at(i)];
      if (!p.instances[at(i)].mirrored || where.primary == 3
          || where.secondary == 3)
        continue;
      ++asked;
      CHECK(try_move(p, {i, kind, 3}, true).why == refusal::out_of_service);
    }
  CHECK(asked > 10);
}

} // namespace orderly::search_in_service_test
