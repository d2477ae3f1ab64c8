// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds of every plan to switch nodes off or on, counted by plain_rules:
// nothing of the search judges itself here.

#include "actors/planning/squeeze/fast_squeeze.hpp"
#include "tests/support/planning/plain_rules.hpp"
#include "tests/support/planning/squeezable.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace orderly::squeeze_fast_squeeze_test {

using namespace orderly::planning;

namespace {

samples::squeezable flavour_of(std::uint64_t seed) {
  samples::squeezable f;
  f.nodes = 3 + static_cast<int>(seed % 7);
  f.instances = f.nodes * static_cast<int>(1 + seed % 11);
  f.local = seed % 3 == 0;
  f.tags = seed % 4 == 0;
  f.standby = seed % 5 == 0;
  f.memory_unit = seed % 2 == 0 ? 512 : 1024;
  return f;
}

/// What a step must not take from any node that had it.
struct kept {
  std::vector<bool> n1;
  std::vector<bool> covered;
  std::vector<bool> memory;
  std::vector<bool> cpus;
  std::vector<int> conflicts;
};

kept look(const plain_rules& r) {
  kept k;
  for (int n = 0; n < r.count(); ++n) {
    k.n1.push_back(!r.is_on(n) || r.has_n1(n));
    k.covered.push_back(!r.is_on(n) || r.is_covered(n));
    k.memory.push_back(!r.is_on(n) || r.free_memory(n) > 0);
    k.cpus.push_back(!r.is_on(n) || r.free_cpus(n) >= 0);
    k.conflicts.push_back(r.conflicts(n));
  }
  return k;
}

void check_kept(const kept& before, const kept& after) {
  for (std::size_t n = 0; n < before.n1.size(); ++n) {
    CHECK((!before.n1[n] || after.n1[n]));
    CHECK((!before.covered[n] || after.covered[n]));
    CHECK((!before.memory[n] || after.memory[n]));
    CHECK((!before.cpus[n] || after.cpus[n]));
    CHECK(before.conflicts[n] >= after.conflicts[n]);
  }
}

/// Makes the steps one by one, with the nodes that are switched on there from
/// the beginning and those that are switched off there to the end.
void walk(plain_rules& r, const group_squeeze& g) {
  for (auto n : g.on)
    r.now().nodes[at(n)].offline = false;
  for (const auto& s : g.steps) {
    auto before = look(r);
    auto& i = r.now().instances[at(s.what.instance)];
    REQUIRE(i.primary == s.from.primary);
    CHECK(plain_rules::is_shared(i));
    CHECK(i.auto_balance);
    CHECK(r.now().nodes[at(i.primary)].group
          == r.now().nodes[at(s.to.primary)].group);
    CHECK(r.is_on(s.to.primary));
    i.primary = s.to.primary;
    check_kept(before, look(r));
  }
  for (auto n : g.off)
    r.now().nodes[at(n)].offline = true;
}

int nodes_on(const plain_rules& r, int group) {
  int result = 0;
  for (int n = 0; n < r.count(); ++n)
    result += r.is_on(n) && r.group_of(n) == group ? 1 : 0;
  return result;
}

bool is_well(const plain_rules& r, int group, double factor) {
  for (int n = 0; n < r.count(); ++n)
    if (r.group_of(n) == group && r.is_on(n)
        && !(r.has_n1(n) && r.is_covered(n)
             && r.has_room(n, 512 * factor, factor)))
      return false;
  return true;
}

} // namespace

TEST_CASE("every plan to switch nodes off keeps N+1, cover, limits and room at "
          "each step, and what is off holds nothing") {
  int off = 0;
  int steps = 0;
  int idle = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    auto c = samples::draw_squeezable(seed, flavour_of(seed));
    spare_factors spare{1, static_cast<double>(seed % 4)};
    plain_rules r{c};
    for (const auto& g : squeeze_groups(c, spare, {})) {
      CHECK(is_well(r, g.group, spare.minimal) == g.was_well);
      if (!g.was_well)
        continue;
      walk(r, g);
      for (auto n : g.off) {
        CHECK_FALSE(c.nodes[at(n)].master);
        CHECK_FALSE(c.nodes[at(n)].offline);
        CHECK(r.instances_on(n) == 0);
      }
      CHECK(nodes_on(r, g.group) == g.on_after);
      CHECK(g.on_after >= g.least.count);
      CHECK(g.on_after == g.on_before - static_cast<int>(g.off.size()));
      if (!g.off.empty())
        CHECK(is_well(r, g.group, std::max(spare.minimal, spare.target)));
      off += static_cast<int>(g.off.size());
      steps += static_cast<int>(g.steps.size());
      idle += g.off.empty() ? 1 : 0;
    }
  }
  CHECK(off > 500);
  CHECK(steps > 500);
  CHECK(idle > 10);
}

TEST_CASE("what was squeezed is well: the next run switches nothing on, and "
          "hardly anything off") {
  int before = 0;
  int again = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    auto c = samples::draw_squeezable(seed, flavour_of(seed));
    plain_rules r{c};
    std::set<int> squeezed;
    for (const auto& g : squeeze_groups(c, {1, 1}, {})) {
      if (!g.was_well || g.off.empty())
        continue;
      walk(r, g);
      squeezed.insert(g.group);
      before += static_cast<int>(g.off.size());
    }
    for (auto& n : r.now().nodes) // as it is told anew
      n.free_memory = 0;
    for (int n = 0; n < r.count(); ++n)
      r.now().nodes[at(n)].free_memory = static_cast<mib>(r.free_memory(n));
    for (const auto& g : squeeze_groups(r.now(), {1, 1}, {}))
      if (squeezed.count(g.group) > 0) {
        CHECK(g.was_well);
        CHECK(g.on.empty());
        again += static_cast<int>(g.off.size());
      }
  }
  CHECK(before > 200);
  CHECK(again * 20 < before);
}

TEST_CASE("groups are squeezed each by itself") {
  samples::squeezable f;
  auto c = samples::draw_squeezable(7, f);
  auto both = squeeze_groups(c, {}, {});
  REQUIRE(both.size() == 2);
  for (auto& n : c.nodes) // the second group has no room at all
    if (n.group == 1)
      n.free_memory = 0;
  auto one = squeeze_groups(c, {}, {});
  CHECK(both[0].was_well);
  CHECK(one[0].off == both[0].off);
  CHECK_FALSE(one[1].was_well);
  CHECK(one[1].off.empty());
}

TEST_CASE("a group without instances keeps one node, so that it can wake") {
  auto c = samples::draw_squeezable(3, {});
  c.instances.clear();
  for (auto& n : c.nodes)
    n.free_memory = static_cast<mib>(n.total_memory) - n.node_memory;
  for (const auto& g : squeeze_groups(c, {}, {})) {
    CHECK(g.on_after == 1);
    CHECK(g.least.count == 1);
    CHECK(g.steps.empty());
  }
}

TEST_CASE("neither masters nor those who may be go off") {
  auto c = samples::draw_squeezable(3, {});
  c.instances.clear();
  for (auto& n : c.nodes) {
    n.free_memory = static_cast<mib>(n.total_memory) - n.node_memory;
    n.master = false;
  }
  c.nodes[2].master = true;
  c.nodes[4].master_candidate = true;
  auto g = squeeze_groups(c, {}, {}).front();
  CHECK(g.on_after == 2);
  CHECK(g.least.why == squeeze_limit::fixed);
  for (auto n : g.off)
    CHECK((n != 2 && n != 4));
}

} // namespace orderly::squeeze_fast_squeeze_test
