// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/exact.hpp"
#include "actors/planning/search/job_sets.hpp"
#include "actors/planning/search/scan.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

#include <cmath>

namespace orderly::search_exact_test {

using namespace orderly::planning;

TEST_CASE("the plan for the small cluster is the reference's") {
  auto c = samples::small();
  placement p{c, 0, {}};
  auto found = balance(p, {});
  REQUIRE(found.steps.size() == 2);
  CHECK(found.steps[0].what == move{4, move_kind::failover_and_replace, 2});
  CHECK(found.steps[0].to == place{1, 2});
  CHECK(std::abs(found.steps[0].score - 3.52180394) < 5.1e-9);
  CHECK(found.steps[1].what == move{5, move_kind::replace_and_failover, 2});
  CHECK(std::abs(found.final - 3.48665966) < 5.1e-9);
  // Both touch n2 and n3.
  CHECK(job_sets(found.steps)
        == std::vector<std::vector<std::size_t>>{{0}, {1}});
}

TEST_CASE("a move is allowed by its storage, its nodes and the rules") {
  using k = move_kind;
  auto c = samples::small();
  placement p{c, 0, {}};
  search_rules rules;
  CHECK(allowed_kinds(p, 0, rules) == std::vector{k::failover_to});
  CHECK(allowed_kinds(p, 1, rules)
        == std::vector{k::failover, k::replace_secondary,
                       k::replace_and_failover, k::replace_primary,
                       k::failover_and_replace});
  rules.disk_moves = false;
  CHECK(allowed_kinds(p, 1, rules) == std::vector{k::failover});
  rules = {};
  rules.instance_moves = false;
  CHECK(allowed_kinds(p, 0, rules).empty());
  CHECK(allowed_kinds(p, 1, rules) == std::vector{k::replace_secondary});
  rules = {};
  rules.restricted_migration = true;
  CHECK(allowed_kinds(p, 1, rules)
        == std::vector{k::failover, k::replace_secondary});
  // Its primary is offline, and there is nothing to copy from there.
  CHECK(allowed_kinds(p, 4, rules)
        == std::vector{k::failover, k::failover_and_replace});
  auto drained = p;
  for (auto& f : drained.facts)
    f.dead = false;
  CHECK(allowed_kinds(drained, 4, rules)
        == std::vector{k::failover, k::replace_secondary,
                       k::replace_and_failover, k::failover_and_replace});
  rules = {};
  rules.evacuate = true;
  CHECK_FALSE(is_candidate(p, 1, rules));
  CHECK(is_candidate(p, 4, rules));
  CHECK_FALSE(is_candidate(p, 3, rules)); // auto_balance is off
}

TEST_CASE("the fast scan finds what trying everything finds, to the bit") {
  int steps = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    samples::flavour f{seed % 2 == 0, seed % 5 == 0, seed % 7 == 0,
                       seed % 3 == 0, seed % 4 == 0};
    auto c = samples::draw(seed, 2 + static_cast<int>(seed % 11), 35, f);
    search_rules rules;
    rules.ignore_soft = seed % 13 == 0;
    rules.restricted_migration = seed % 11 == 0;
    build_options options;
    options.min_disk = seed % 6 == 0 ? 0.4 : 0;
    options.n1 = seed % 2 == 0 ? initial_n1::reported : initial_n1::guaranteed;
    placement fast{c, 0, options};
    placement slow{c, 0, options};
    auto a = balance(fast, rules);
    auto b = balance(slow, rules, &try_all);
    INFO("seed " << seed);
    REQUIRE(a.steps.size() == b.steps.size());
    for (std::size_t k = 0; k < a.steps.size(); ++k) {
      CHECK(a.steps[k].what == b.steps[k].what);
      CHECK(a.steps[k].score == b.steps[k].score);
    }
    CHECK(fast.states == slow.states);
    steps += static_cast<int>(a.steps.size());
  }
  CHECK(steps > 1000);
}

TEST_CASE("every step is better than the one before, and is counted") {
  auto c = samples::draw(5, 8, 40, {});
  placement p{c, 0, {}};
  search_rules rules;
  rules.max_length = 3;
  int heard = 0;
  auto found = balance(p, rules, [&](const step&) { ++heard; });
  REQUIRE(found.steps.size() == 3);
  CHECK(heard == 3);
  auto last = found.initial;
  for (const auto& s : found.steps) {
    CHECK(s.score < last);
    last = s.score;
  }
  CHECK(exact_score(p) == found.final);
}

TEST_CASE("a small gain is taken only above the limit") {
  auto c = samples::draw(5, 8, 40, {});
  search_rules rules;
  rules.min_gain = 1e9;
  rules.min_gain_limit = 1e9;
  placement p{c, 0, {}};
  CHECK(balance(p, rules).steps.empty());
  rules.min_gain_limit = 0.1;
  rules.max_length = 1;
  CHECK(balance(p, rules).steps.size() == 1);
}

TEST_CASE("job sets are runs from the end without a common node") {
  auto at = [](int from, int to) {
    return step{{0, move_kind::failover_to, to}, {from, -1}, {to, -1}, 0};
  };
  std::vector<step> steps{at(0, 1), at(2, 3), at(3, 4), at(5, 6)};
  CHECK(job_sets(steps)
        == std::vector<std::vector<std::size_t>>{{0, 1}, {2, 3}});
  CHECK(job_sets({}).empty());
}

TEST_CASE("no plan breaks what held") {
  int moves = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    samples::flavour f{seed % 2 == 0, false, false, seed % 3 == 0, false};
    auto c = samples::draw(seed, 3 + static_cast<int>(seed % 8), 30, f);
    placement p{c, 0, {}};
    auto before = p;
    auto found = balance(p, {});
    moves += static_cast<int>(found.steps.size());
    INFO("seed " << seed);
    CHECK(found.final <= found.initial);
    CHECK(p.all_reserves == before.all_reserves);
    for (std::size_t i = 0; i < p.places.size(); ++i) {
      if (before.instances[i].movable && c.instances[i].auto_balance)
        continue;
      CHECK(p.places[i] == before.places[i]);
    }
    for (std::size_t n = 0; n < p.states.size(); ++n) {
      const auto& s = p.states[n];
      // Instances off an offline node may be put where wishes forbid it.
      if (f.offline || !p.facts[n].online)
        continue;
      if (!before.states[n].short_of_memory)
        CHECK_FALSE(s.short_of_memory);
      if (s.cpus > before.states[n].cpus)
        CHECK(static_cast<double>(s.cpus)
              <= p.facts[n].vcpu_ratio * p.facts[n].total_cpus);
      if (s.free_disk < before.states[n].free_disk)
        CHECK(s.free_disk > 0);
    }
  }
  CHECK(moves > 300);
}

} // namespace orderly::search_exact_test
