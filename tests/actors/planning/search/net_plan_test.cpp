// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/job_sets.hpp"
#include "actors/planning/search/net_form.hpp"
#include "actors/planning/search/net_plan.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

namespace orderly::search_net_plan_test {

using namespace orderly::planning;

namespace {

/// Makes so many moves by dice; how many were made.
std::size_t wander(placement& p, samples::dice& d, int tries) {
  std::size_t made = 0;
  for (int k = 0; k < tries; ++k) {
    auto i = d.roll(p.instance_count());
    auto t = d.roll(p.node_count());
    auto where = p.places[at(i)];
    if (!is_candidate(p, i, {}) || !p.facts[at(t)].online || t == where.primary
        || t == where.secondary)
      continue;
    auto kinds = allowed_kinds(p, i, {});
    move m{i, kinds[at(d.roll(static_cast<int>(kinds.size())))], t};
    auto x = try_move(p, m, false);
    if (x.why != refusal::none)
      continue;
    make_move(p, m, x);
    ++made;
  }
  return made;
}

} // namespace

TEST_CASE("each way leads from where an instance is to where it shall be") {
  placement p{samples::small(), 0, {}};
  auto instance = 1; // mirrored, on n2 and n3
  auto from = p.places[at(instance)];
  REQUIRE(from == place{1, 2});
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) {
      if (a == b)
        continue;
      place to{a, b};
      auto all = ways(p, instance, to);
      CHECK(all.empty() == (to == from));
      for (const auto& way : all) {
        CHECK(way.size() <= 2);
        auto q = p;
        for (const auto& m : way)
          q.places[at(instance)] = destination(q, m);
        CHECK(q.places[at(instance)] == to);
      }
      auto single = single_move(instance, from, to);
      auto both_new = a != 1 && a != 2 && b != 1 && b != 2;
      CHECK(single.has_value() == (to != from && !both_new));
      auto cost = net_cost_of(p, instance, from, to);
      CHECK(cost.moves == (to == from ? 0 : both_new ? 2 : 1));
      double sum = 0;
      for (const auto& m : all.empty() ? std::vector<move>{} : all.front())
        sum += cost_of(p, m);
      CHECK(cost.cost == Approx(sum));
    }
}

TEST_CASE("a disk that goes over the wire costs more than a migration") {
  placement p{samples::small(), 0, {}};
  CHECK(cost_of(p, {1, move_kind::failover, -1}) == migration_cost);
  CHECK(cost_of(p, {0, move_kind::failover_to, 2}) == migration_cost);
  auto disks = cost_of(p, {1, move_kind::replace_secondary, 0});
  CHECK(disks == Approx(1 + 10000.0 / 1024 / gib_for_one_migration));
  CHECK(cost_of(p, {1, move_kind::replace_primary, 0})
        == Approx(disks + 2 * migration_cost));
}

TEST_CASE("net moves lead where a long walk led, in fewer steps") {
  std::size_t walked = 0;
  std::size_t net = 0;
  std::size_t whole = 0;
  std::size_t left = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    INFO("seed " << seed);
    auto c = samples::draw(seed, 4 + static_cast<int>(seed % 8), 40, {});
    placement start{c, 0, {}};
    auto goal = start;
    samples::dice d{seed};
    walked += wander(goal, d, 200);
    fast_rules fast;
    fast.shared_n1 = shared_n1_use::off;
    auto x = net_plan(start, goal.places, {}, fast);
    auto p = start;
    for (const auto& s : x.steps) {
      auto o = try_move(p, s.what, false);
      REQUIRE(o.why == refusal::none);
      make_move(p, s.what, o);
    }
    net += x.steps.size();
    std::size_t elsewhere = 0;
    for (std::size_t i = 0; i < p.places.size(); ++i)
      elsewhere += p.places[i] == goal.places[i] ? 0 : 1;
    CHECK(elsewhere == x.left);
    left += x.left;
    whole += x.left == 0 ? 1 : 0;
    if (x.left == 0)
      CHECK(p.states == goal.states);
  }
  CHECK(walked > 4000);
  CHECK(net < walked);
  CHECK(whole > 70);
  CHECK(left < 20);
}

TEST_CASE("waves keep the order of steps that share a node, and no set has "
          "two") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    auto c = samples::draw(seed, 8, 60, {});
    placement p{c, 0, {}};
    auto steps = balance(p, {}).steps;
    auto waves = job_waves(steps);
    std::vector<std::size_t> wave_of(steps.size(), steps.size());
    for (std::size_t l = 0; l < waves.size(); ++l) {
      CHECK_FALSE(waves[l].empty());
      std::set<int> busy;
      for (auto k : waves[l]) {
        CHECK(wave_of[k] == steps.size()); // each step once
        wave_of[k] = l;
        std::set<int> nodes{steps[k].from.primary, steps[k].from.secondary,
                            steps[k].to.primary, steps[k].to.secondary};
        nodes.erase(-1);
        for (auto n : nodes)
          CHECK(busy.insert(n).second);
      }
    }
    for (std::size_t a = 0; a < steps.size(); ++a) {
      REQUIRE(wave_of[a] < waves.size());
      for (auto b = a + 1; b < steps.size(); ++b) {
        std::set<int> nodes{steps[a].from.primary, steps[a].from.secondary,
                            steps[a].to.primary, steps[a].to.secondary};
        nodes.erase(-1);
        auto shared = nodes.count(steps[b].from.primary)
                      + nodes.count(steps[b].from.secondary)
                      + nodes.count(steps[b].to.primary)
                      + nodes.count(steps[b].to.secondary);
        if (shared > 0)
          CHECK(wave_of[a] < wave_of[b]);
      }
    }
    CHECK(waves.size() <= job_sets(steps).size());
  }
  CHECK(job_waves({}).empty());
}

} // namespace orderly::search_net_plan_test
