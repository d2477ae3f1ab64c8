// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/balance_groups.hpp"
#include "tests/support/planning/two_groups.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <utility>

namespace orderly::search_balance_groups_test {

using namespace orderly::planning;

namespace {

group_rules open_rules(const cluster& c) {
  group_rules r;
  r.closed.assign(c.nodes.size(), false);
  r.effort_max = fast_rules{}.effort_max;
  return r;
}

/// All nodes that the step has to do with, as places in the cluster.
std::set<int> nodes_of(const balanced_group& x, const step& s) {
  std::set<int> result;
  for (auto n :
       {s.from.primary, s.from.secondary, s.to.primary, s.to.secondary})
    if (n >= 0)
      result.insert(x.before.node_index[at(n)]);
  return result;
}

std::size_t steps_of(const std::vector<balanced_group>& all) {
  std::size_t sum = 0;
  for (const auto& x : all)
    sum += x.plan.found.steps.size();
  return sum;
}

} // namespace

TEST_CASE("each group is balanced by itself, as if there were no other") {
  auto c = samples::two_groups(3, 6, 40);
  auto all = balance_groups(c, open_rules(c));
  REQUIRE(all.size() == 2);
  for (const auto& x : all) {
    REQUIRE_FALSE(x.plan.found.steps.empty());
    CHECK(x.plan.found.final < x.plan.found.initial);
    for (const auto& s : x.plan.found.steps)
      for (auto n : nodes_of(x, s))
        CHECK(c.nodes[at(n)].group == x.group);
    placement alone{c, x.group, {}};
    fast_rules fast;
    fast.move_cost = 0;
    fast.effort_max /= x.group == 0 ? 2 : 1;
    search_rules rules;
    rules.min_gain = rules.min_gain_limit = 0;
    CHECK(balance_fast(alone, rules, fast).found.final == x.plan.found.final);
  }
}

TEST_CASE("no move leaves, fills or copies from a closed node") {
  std::size_t touched = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    samples::flavour f;
    f.tags = seed % 3 == 0;
    f.exclusive = seed % 4 == 0;
    f.forthcoming = seed % 5 == 0;
    auto c = samples::draw(seed, 8, 70, f);
    auto rules = open_rules(c);
    auto closed = std::set<int>{static_cast<int>(seed % 8),
                                static_cast<int>((seed * 3 + 1) % 8)};
    auto meets = [&](const std::vector<balanced_group>& all) {
      std::size_t count = 0;
      for (const auto& x : all)
        for (const auto& s : x.plan.found.steps)
          for (auto n : nodes_of(x, s))
            count += closed.count(n);
      return count;
    };
    touched += meets(balance_groups(c, rules));
    for (auto n : closed)
      rules.closed[at(n)] = true;
    auto all = balance_groups(c, rules);
    CHECK(steps_of(all) > 0);
    CHECK(meets(all) == 0);
  }
  // Or closing them would have made no difference.
  CHECK(touched > 20);
}

TEST_CASE("a closed node counts in the score as ever") {
  auto c = samples::draw(5, 6, 40, {});
  auto open = balance_groups(c, open_rules(c));
  auto rules = open_rules(c);
  rules.closed[2] = true;
  auto closed = balance_groups(c, rules);
  CHECK(closed[0].plan.found.initial == open[0].plan.found.initial);
  CHECK(closed[0].plan.found.final > open[0].plan.found.final);
}

TEST_CASE("all groups share the bound on steps, and none takes all of it") {
  auto c = samples::two_groups(3, 6, 40);
  auto rules = open_rules(c);
  for (int most : {1, 2, 3, 7}) {
    rules.steps_max = most;
    auto all = balance_groups(c, rules);
    CHECK(steps_of(all) <= static_cast<std::size_t>(most));
    CHECK(steps_of(all) > 0);
    if (most > 1)
      CHECK_FALSE(all[1].plan.found.steps.empty());
  }
  // A group that is closed altogether leaves its share to the other.
  for (std::size_t n = 0; n < 6; ++n)
    rules.closed[n] = true;
  auto all = balance_groups(c, rules);
  CHECK(all[0].plan.found.steps.empty());
  CHECK(all[1].plan.found.steps.size() > 4);
}

TEST_CASE("time is shared fairly: no group waits for another one's search") {
  auto c = samples::two_groups(3, 20, 300);
  auto rules = open_rules(c);
  // A clock that goes on by a millisecond whenever somebody looks at it.
  double left = 0.05;
  rules.left = [&left] { return left -= 0.001; };
  auto all = balance_groups(c, rules);
  for (const auto& x : all) {
    CHECK(x.plan.cut);
    CHECK_FALSE(x.plan.found.steps.empty());
  }
}

TEST_CASE("work is bounded, and the same bound gives the same plan") {
  auto c = samples::two_groups(3, 20, 300);
  auto rules = open_rules(c);
  rules.effort_max = 20'000;
  auto first = balance_groups(c, rules);
  auto second = balance_groups(c, rules);
  REQUIRE(first.size() == second.size());
  for (std::size_t g = 0; g < first.size(); ++g) {
    CHECK(first[g].plan.cut);
    CHECK(first[g].plan.found.final == second[g].plan.found.final);
    CHECK(first[g].plan.found.steps.size()
          == second[g].plan.found.steps.size());
  }
}

TEST_CASE("the waves of a plan never put two of a node in one, or out of "
          "order") {
  auto c = samples::draw(9, 10, 120, {});
  auto all = balance_groups(c, open_rules(c));
  const auto& x = all.front();
  REQUIRE(x.waves.size() == x.plan.found.steps.size());
  std::map<int, std::uint32_t> last; // wave of a node, plus one
  for (std::size_t k = 0; k < x.waves.size(); ++k) {
    std::uint32_t least = 0;
    for (auto n : nodes_of(x, x.plan.found.steps[k]))
      least = std::max(least, last[n]);
    CHECK(x.waves[k] == least);
    for (auto n : nodes_of(x, x.plan.found.steps[k]))
      last[n] = x.waves[k] + 1;
  }
}

TEST_CASE("below ten times the threshold only steps that reach it are made") {
  auto c = samples::draw(5, 6, 40, {});
  auto rules = open_rules(c);
  auto initial = balance_groups(c, rules)[0].plan.found.initial;
  rules.threshold = initial / 2;
  CHECK(steps_of(balance_groups(c, rules)) == 0);
  rules.threshold = initial / 5;
  auto some = balance_groups(c, rules);
  CHECK(steps_of(some) > 0);
  auto before = initial;
  for (const auto& s : some[0].plan.found.steps) {
    CHECK(before - s.score >= rules.threshold);
    before = s.score;
  }
  rules.threshold = initial / 50;
  CHECK(steps_of(balance_groups(c, rules)) > steps_of(some));
}

TEST_CASE("figures that give no score plan nothing, and spare other groups") {
  auto c = samples::two_groups(3, 6, 40);
  c.nodes[1].total_memory = 0; // and yet online
  auto all = balance_groups(c, open_rules(c));
  CHECK_FALSE(all[0].scored);
  CHECK(all[0].plan.found.steps.empty());
  CHECK(all[1].scored);
  CHECK_FALSE(all[1].plan.found.steps.empty());
}

TEST_CASE("a plan whose parts are carried out has no step that loses") {
  auto losing = 0;
  for (auto nodes : {3, 4, 5}) {
    auto c = samples::two_groups(nodes, nodes, 10 * nodes);
    auto rules = open_rules(c);
    for (const auto& x : balance_groups(c, rules)) {
      auto score = x.plan.found.initial;
      for (const auto& s : x.plan.found.steps)
        losing += std::exchange(score, s.score) <= s.score ? 1 : 0;
    }
    rules.each_gains = true;
    for (const auto& x : balance_groups(c, rules)) {
      auto score = x.plan.found.initial;
      for (const auto& s : x.plan.found.steps) {
        CHECK(s.score < score);
        score = s.score;
      }
      CHECK(x.plan.found.final == score);
      CHECK(exact_score(x.after) == Approx(score).epsilon(1e-9));
      CHECK(x.waves.size() == x.plan.found.steps.size());
    }
  }
  CHECK(losing > 0); // or the rule was not tried
}

} // namespace orderly::search_balance_groups_test
