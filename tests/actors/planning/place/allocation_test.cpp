// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/moves/trial.hpp"
#include "actors/planning/place/choose_group.hpp"
#include "actors/planning/place/contest.hpp"
#include "actors/planning/place/filling.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

#include <numeric>

namespace orderly::place_allocation_test {

using namespace orderly::planning;
using samples::dice;

namespace {

std::vector<int> everyone(const placement& p) {
  std::vector<int> all;
  for (int n = 0; n < p.node_count(); ++n)
    all.push_back(n);
  return all;
}

instance_spec newcomer(disk_template disks) {
  instance_spec x;
  x.name = "new";
  x.memory = 1024;
  x.disk = 20480;
  x.disk_sizes = {20480};
  x.disk_spindles = {1};
  x.vcpus = 1;
  x.primary = x.secondary = -1;
  x.disks = disks;
  return x;
}

/// A drawn cluster with one instance more that is nowhere.
cluster with_newcomer(std::uint64_t seed, disk_template disks) {
  auto c = samples::draw(seed, 3 + static_cast<int>(seed % 6), 25,
                         {.tags = seed % 3 == 0, .offline = seed % 2 == 0});
  c.instances.push_back(newcomer(disks));
  return c;
}

} // namespace

TEST_CASE("what a trial does not keep is as it was") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto c = samples::draw(seed, 6, 30, {.tags = true, .offline = true});
    placement p{c, 0, {}};
    const auto before = p;
    dice d{seed};
    auto made = 0;
    {
      trial t{p};
      for (int k = 0; k < 50; ++k) {
        move m{d.roll(30), move_kind::failover_to, d.roll(6)};
        if (p.instances[static_cast<std::size_t>(m.instance)].mirrored)
          m.kind = move_kind::replace_secondary;
        auto where = p.places[static_cast<std::size_t>(m.instance)];
        if (m.target == where.primary || m.target == where.secondary)
          continue;
        made += t.make(m, false) == refusal::none ? 1 : 0;
      }
    }
    CHECK(made > 0);
    CHECK(p.states == before.states);
    CHECK(p.places == before.places);
    CHECK(p.by_secondary == before.by_secondary);
    CHECK(p.shared_locations == before.shared_locations);
  }
}

TEST_CASE("an allocation is the best of all places, by a score in two passes") {
  auto found = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    auto disks = seed % 2 == 0 ? disk_template::drbd : disk_template::ext;
    auto c = with_newcomer(seed, disks);
    placement p{c, 0, {}};
    auto i = p.instance_count() - 1;
    set_score scores{p, everyone(p)};
    auto answer = allocate(p, i, c.instances.back(), everyone(p),
                           nodes_needed(disks), scores, {});
    if (!answer || !answer->best)
      continue;
    ++found;
    auto score = answer->best->score;
    auto after = p;
    make_move(after, {i, move_kind::failover, -1}, answer->best->what);
    CHECK(exact_score(after) == Approx(score).margin(1e-9));
    for (int a = 0; a < p.node_count(); ++a)
      for (int b = 0; b < p.node_count(); ++b) {
        auto online = p.facts[static_cast<std::size_t>(a)].online
                      && p.facts[static_cast<std::size_t>(b)].online;
        if (!online || (disks == disk_template::drbd) == (a == b))
          continue;
        place where{a, disks == disk_template::drbd ? b : -1};
        auto x = try_allocation(p, i, where, false);
        if (x.why != refusal::none)
          continue;
        auto other = p;
        make_move(other, {i, move_kind::failover, -1}, x);
        CHECK(exact_score(other) >= score - 1e-9);
      }
  }
  CHECK(found > 20);
}

TEST_CASE("the bounds of a score hold it") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto c = samples::draw(seed, 7, 40, {.tags = true, .loads = true});
    placement p{c, 0, {}};
    set_score scores{p, everyone(p)};
    CHECK(scores.value() == exact_score(p));
    for (int i = 0; i < p.instance_count(); ++i) {
      if (p.instances[static_cast<std::size_t>(i)].mirrored)
        continue;
      for (int t = 0; t < p.node_count(); ++t) {
        if (t == p.places[static_cast<std::size_t>(i)].primary)
          continue;
        auto x = try_move(p, {i, move_kind::failover_to, t}, true);
        if (x.why != refusal::none)
          continue;
        auto score = scores.after(i, x);
        auto [low, high] = scores.bounds_after(i, x);
        CHECK(low <= score);
        CHECK(score <= high);
      }
    }
  }
}

TEST_CASE("global N+1 says the same with and without what it foretells") {
  auto yes = 0;
  auto no = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    auto c = with_newcomer(seed, disk_template::rbd);
    for (auto& n : c.nodes) // some have little room
      n.free_memory -= static_cast<mib>(seed % 7) * 3000;
    placement p{c, 0, {}};
    auto i = p.instance_count() - 1;
    global_n1 kept{p};
    for (int n = 0; n < p.node_count(); ++n) {
      auto x = try_allocation(p, i, {n, -1}, true);
      if (x.why != refusal::none)
        continue;
      auto after = p;
      make_move(after, {i, move_kind::failover, -1}, x);
      global_n1 fresh{after};
      auto holds = kept.holds_with(i, x);
      CHECK(holds == fresh.holds());
      (holds ? yes : no) += 1;
    }
  }
  CHECK(yes > 10);
  CHECK(no > 10);
}

TEST_CASE("a node that is off is no refuge, but by the rule of 3.0") {
  cluster c;
  c.groups.push_back({"g", "u", {}, {}, {}, {}});
  c.groups[0].policy.ranges[0].max.memory = 131072;
  auto node = [&](mib free, bool offline) {
    node_spec x;
    x.name = "n" + std::to_string(c.nodes.size());
    x.total_memory = 131072;
    x.node_memory = 1024;
    x.free_memory = free;
    x.total_disk = 500000;
    x.free_disk = 500000;
    x.total_cpus = 64;
    x.offline = offline;
    c.nodes.push_back(x);
  };
  node(8192, false);
  node(55552, false);
  node(55552, false);
  node(130048, true);
  for (int n : {0, 0, 1, 2}) {
    auto x = newcomer(disk_template::ext);
    x.name = "i" + std::to_string(c.instances.size());
    x.memory = n == 0 ? 60928 : 74496;
    x.primary = n;
    c.instances.push_back(x);
  }
  placement p{c, 0, {}};
  CHECK_FALSE(global_n1{p}.can_lose(0));
  CHECK(global_n1{p}.can_lose(3)); // nothing is there
  build_options of_3_0;
  of_3_0.n1 = initial_n1::reported;
  placement as_reference{c, 0, of_3_0};
  CHECK(global_n1{as_reference}.can_lose(0));
  // What is on its own disks has no refuge there either, nor if all are off.
  c.instances[0].disks = c.instances[1].disks = disk_template::plain;
  placement own{c, 0, {}};
  CHECK_FALSE(global_n1{own}.can_lose(0));
  placement own_as_reference{c, 0, of_3_0};
  CHECK(global_n1{own_as_reference}.can_lose(0));
  for (auto& n : c.nodes)
    n.offline = true;
  placement off{c, 0, {}};
  CHECK_FALSE(global_n1{off}.can_lose(0));
}

TEST_CASE("an evacuation leaves the node empty or says what is stuck") {
  auto moved = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    auto c = samples::draw(seed, 6, 30, {.offline = seed % 2 == 0});
    placement p{c, 0, {}};
    std::vector<int> on;
    for (int i = 0; i < p.instance_count(); ++i) {
      auto where = p.places[static_cast<std::size_t>(i)];
      if (where.primary == 0 || where.secondary == 0)
        on.push_back(i);
    }
    auto result = evacuate(p, on, leave::all, false);
    CHECK(result.moved.size() + result.failed.size() == on.size());
    moved += static_cast<int>(result.moved.size());
    for (const auto& x : result.moved) {
      auto where = p.places[static_cast<std::size_t>(x.instance)];
      CHECK(where == x.where);
      CHECK(where.primary != 0);
      CHECK(where.secondary != 0);
      CHECK(p.facts[static_cast<std::size_t>(where.primary)].online);
    }
    for (const auto& x : result.failed)
      CHECK_FALSE(x.why.empty());
  }
  CHECK(moved > 50);
}

TEST_CASE("a filled cluster has room for none more and keeps global N+1") {
  for (auto disks : {disk_template::ext, disk_template::drbd}) {
    cluster c;
    c.groups.push_back({"g", "u", {}, {}, {}, {}});
    for (int n = 0; n < 4; ++n) {
      node_spec x;
      x.name = "n" + std::to_string(n);
      x.total_memory = 20000;
      x.free_memory = 20000;
      x.total_disk = 500000;
      x.free_disk = 500000;
      x.total_cpus = 64;
      c.nodes.push_back(x);
    }
    c.instances.push_back(newcomer(disks));
    placement p{c, 0, {}};
    filling_rules rules;
    rules.nodes = nodes_needed(disks);
    rules.targets = {0, 1, 2, 3};
    rules.guarded = rules.targets;
    rules.capacity = disks == disk_template::ext;
    filler f{p, rules};
    REQUIRE_FALSE(f.fill(c.instances.back()));
    CHECK(f.result().made.size() > 20);
    const auto& why = f.result().failures;
    CHECK(std::accumulate(why.begin(), why.end(), std::int64_t{0}) > 0);
    auto full = f.nodes();
    if (rules.capacity)
      CHECK(global_n1{full}.holds());
    rules.limit = 3;
    filler few{p, rules};
    REQUIRE_FALSE(few.fill(c.instances.back()));
    CHECK(few.result().made.size() == 3);
    rules.limit.reset();
    rules.countable = 5;
    filler bounded{p, rules};
    auto wrong = bounded.fill(c.instances.back());
    REQUIRE(wrong);
    CHECK(wrong->text.find("room for 5 instances or more")
          != std::string::npos);
    filler tiers{p, rules};
    CHECK(tiers.fill_tiered({c.instances.back()}));
    CHECK(tiers.result().made.size() == 5);
    auto giant = c.instances.back();
    giant.memory = 1'000'000'000;
    filler vain{p, rules};
    wrong = vain.fill_tiered({giant});
    REQUIRE(wrong);
    CHECK(wrong->text.find("of 5 sizes none fits") != std::string::npos);
    CHECK(vain.result().made.empty());
  }
}

} // namespace orderly::place_allocation_test
