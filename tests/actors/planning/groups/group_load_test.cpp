// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/crossed_steps.hpp"
#include "actors/planning/groups/group_load.hpp"
#include "tests/support/planning/racks.hpp"
#include "tests/support/planning/safe_prefix.hpp"
#include "tests/support/planning/samples.hpp"

#include <cmath>
#include <set>

namespace orderly::group_load_test {

using namespace orderly::planning;
using samples::add;
using samples::racks;

namespace {

constexpr std::int64_t effort = 20'000'000;

load_answer even(const cluster& c, load_rules rules = {}) {
  crossing_map map{c, {group_moves::automatic, crossing_cause::evenness}};
  return even_load(c, map, rules, {}, effort);
}

/// The capacity-weighted deviation of memory, from the cluster alone.
double plain_score(const cluster& c) {
  std::vector<double> used(c.groups.size(), 0);
  std::vector<double> whole(c.groups.size(), 0);
  for (const auto& n : c.nodes)
    whole[at(n.group)] += n.offline ? 0 : n.total_memory;
  for (const auto& i : c.instances)
    used[at(c.nodes[at(i.primary)].group)] += static_cast<double>(i.memory);
  double sum_used = 0;
  double all = 0;
  for (std::size_t g = 0; g < used.size(); ++g) {
    sum_used += used[g];
    all += whole[g];
  }
  double sum = 0;
  for (std::size_t g = 0; g < used.size(); ++g)
    sum += whole[g] / all * std::pow(used[g] / whole[g] - sum_used / all, 2);
  return std::sqrt(sum);
}

/// Groups of six nodes, filled to very different parts.
cluster uneven(std::uint64_t seed, int groups) {
  samples::dice d{seed};
  auto c = racks(groups, 6);
  for (int n = 0; n < static_cast<int>(c.nodes.size()); ++n) {
    auto group = n / 6;
    auto part = group % 2 == 0 ? 60 + d.roll(10) : 10 + d.roll(15);
    while (true) {
      auto size = 100 * (2 + d.roll(8));
      if (c.nodes[at(n)].free_memory - size < 100 * (100 - part))
        break;
      add(c, n, size, d.chance(15) ? disk_template::plain : disk_template::ext);
    }
  }
  return c;
}

} // namespace

TEST_CASE("halving a group changes no score") {
  auto c = uneven(1, 4);
  auto before = even(c).before.at(0).score;
  CHECK(before == Approx(plain_score(c)));
  // Every second node of rack0, with what is on it, is a group of its own; to
  // be a half of the same use, it gets a copy of the other half.
  for (int n = 0; n < 6; ++n)
    if (n % 2 == 1)
      c.nodes[at(n)].group = 4;
  c.groups.push_back({"rack4", "uuid4", {}, {}, {}, c.groups[0].policy});
  std::vector<instance_spec> kept;
  for (const auto& i : c.instances)
    if (i.primary >= 6 || i.primary % 2 == 0)
      kept.push_back(i);
  c.instances = kept;
  for (const auto& i : kept)
    if (i.primary < 6) {
      c.instances.push_back(i);
      c.instances.back().primary += 1;
    }
  auto whole = c;
  for (auto& n : whole.nodes)
    n.group = n.group == 4 ? 0 : n.group;
  CHECK(even(whole).before.at(0).score == Approx(even(c).before.at(0).score));
}

TEST_CASE("load crosses until groups are near the bound, each move safe") {
  auto gap = 0.0;
  auto gone = 0.0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    auto c = uneven(seed, 8);
    auto r = even(c);
    auto after
      = check_prefixes(c, r.steps, std::vector<bool>(c.groups.size(), false));
    CHECK(r.before[0].score == Approx(plain_score(c)));
    CHECK(r.after[0].score == Approx(plain_score(after)));
    CHECK(r.after[0].score >= r.before[0].bound - 1e-12);
    CHECK(r.after[0].outliers.empty());
    CHECK(r.reached() >= 0.95);
    std::set<int> moved;
    for (const auto& s : r.steps) {
      CHECK(moved.insert(s.what.instance).second);
      CHECK(c.instances[at(s.what.instance)].disks == disk_template::ext);
    }
    gap += r.before[0].score - r.before[0].bound;
    gone += r.before[0].score - r.after[0].score;
  }
  CHECK(gone >= 0.95 * gap);
}

TEST_CASE("on constant load nothing moves twice") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto c = uneven(seed, 8);
    auto again = even(crossed_cluster(c, even(c).steps));
    CHECK(again.steps.empty());
  }
}

TEST_CASE("a cluster without an outlier is left alone") {
  auto c = racks(2, 3);
  add(c, 0, 4000);
  auto r = even(c);
  CHECK(r.before[0].use[0] == Approx(4000.0 / 30'000));
  CHECK(r.before[0].outliers.empty());
  CHECK(r.steps.empty());
  load_rules strict;
  strict.outlier = 0.05;
  CHECK(even(c, strict).before[0].outliers.size() == 2);
}

TEST_CASE("mirrors cross for load only where disks may be copied for it") {
  auto c = racks(2, 3);
  for (int k = 0; k < 9; ++k)
    add(c, k % 3, 1500, disk_template::drbd, (k + 1) % 3);
  CHECK(even(c).steps.empty());
  CHECK(even(c).before[0].bound == Approx(even(c).before[0].score));
  load_rules copied;
  copied.disk_moves = true;
  auto r = even(c, copied);
  CHECK_FALSE(r.steps.empty());
  CHECK(r.reached() > 0.5);
  check_prefixes(c, r.steps, {false, false});
}

TEST_CASE("what is tagged, pinned or not permitted does not cross for load") {
  auto c = racks(2, 3);
  for (int k = 0; k < 6; ++k)
    add(c, k % 3, 2000);
  CHECK_FALSE(even(c).steps.empty());
  crossing_map repairs{c, {group_moves::repair, crossing_cause::evenness}};
  CHECK(even_load(c, repairs, {}, {}, effort).steps.empty());
  c.tags.emplace_back(no_group_moves);
  CHECK(even(c).steps.empty());
}

TEST_CASE("the bound of pools that do not meet is that of each part") {
  auto c = racks(4, 1);
  const storage_pool a{storage_type::external, "a"};
  const storage_pool b{storage_type::external, "b"};
  for (int n = 0; n < 4; ++n)
    c.nodes[at(n)].pools = {{n < 2 ? a : b}};
  c.instances.reserve(4);
  for (int k = 0; k < 4; ++k)
    c.instances[at(add(c, 0, 2000))].storage = a;
  // a: 8,000 on two nodes of 10,000; b: nothing. The mean use is 0.2.
  CHECK(even(c).before[0].bound == Approx(0.2));
}

TEST_CASE("CPU counts beside memory where somebody says what is used") {
  auto c = racks(2, 2);
  for (int k = 0; k < 4; ++k)
    c.instances[at(add(c, k, 2000))].use = {k < 2 ? 40.0 : 0.5, 1, 1, 1};
  add(c, 0, 500);
  c.instances.back().use = {40, 1, 1, 1};
  load_rules rules;
  rules.measures = {load_measure::cpu, load_measure::memory};
  auto r = even(c, rules);
  CHECK(r.before[0].outliers.size() == 2);
  CHECK(r.before[1].outliers.empty());
  CHECK(r.after[0].score < r.before[0].score);
  check_prefixes(c, r.steps, {false, false});
}

} // namespace orderly::group_load_test
