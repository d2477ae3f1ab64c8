// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds of every plan of rounds, counted from the cluster's own figures
// without anything that the search uses: every node is in one round or is
// named, no two halves are down together, all that runs and can move is on a
// node that is up and has memory for it; and on small clusters nobody finds
// fewer rounds.

#include "actors/planning/roll/fast_roll.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

namespace orderly::roll_properties_test {

using namespace orderly::planning;

namespace {

bool is_mirrored(const instance_spec& i) {
  return i.disks == disk_template::drbd && i.secondary >= 0;
}

/// Memory of each node that nobody uses or misses.
std::vector<mib> free_memory(const cluster& c) {
  std::vector<mib> used(c.nodes.size());
  for (const auto& i : c.instances)
    if (uses_memory(i))
      used[at(i.primary)] += i.memory;
  std::vector<mib> result;
  for (std::size_t n = 0; n < c.nodes.size(); ++n) {
    const auto& x = c.nodes[n];
    auto left = static_cast<mib>(x.total_memory) - x.node_memory - used[n];
    result.push_back(std::min(left, x.free_memory));
  }
  return result;
}

bool reaches(const cluster& c, int node, const instance_spec& i) {
  const auto& pools = c.nodes[at(node)].pools;
  if (!pools)
    return true;
  auto wanted = i.storage ? i.storage : derived_pool(i.disks);
  return std::find(pools->begin(), pools->end(), *wanted) != pools->end();
}

/// Something that has to leave a node that is down.
bool leaves(const instance_spec& i, const std::set<int>& down) {
  if (i.forthcoming || !uses_memory(i) || down.count(i.primary) == 0)
    return false;
  return is_mirrored(i) || i.disks == disk_template::rbd;
}

void check_round(const cluster& c, const reboot_round& r, roll_rules rules) {
  std::set<int> down(r.nodes.begin(), r.nodes.end());
  std::map<int, place> elsewhere;
  for (const auto& m : r.moves)
    CHECK(elsewhere.emplace(m.instance, m.where).second);
  auto memory = free_memory(c);
  std::vector<mib> disk;
  for (const auto& n : c.nodes)
    disk.push_back(n.free_disk);
  std::set<int> filled;
  for (std::size_t k = 0; k < c.instances.size(); ++k) {
    const auto& i = c.instances[k];
    auto found = elsewhere.find(static_cast<int>(k));
    auto moved = found != elsewhere.end();
    if (is_mirrored(i) && !i.forthcoming)
      CHECK((down.count(i.primary) == 0 || down.count(i.secondary) == 0));
    if (!rules.full_evacuation)
      CHECK(moved == leaves(i, down));
    if (leaves(i, down))
      CHECK(moved);
    if (!moved)
      continue;
    auto to = found->second;
    CHECK_FALSE(c.nodes[at(to.primary)].offline);
    CHECK(down.count(to.primary) == 0);
    CHECK(c.nodes[at(to.primary)].group == c.nodes[at(i.primary)].group);
    if (is_mirrored(i))
      CHECK((to.primary == i.primary || to.primary == i.secondary));
    else
      CHECK(reaches(c, to.primary, i));
    if (to.primary != i.primary && uses_memory(i)) {
      memory[at(to.primary)] -= i.memory;
      filled.insert(to.primary);
    }
    if (!rules.full_evacuation || !is_mirrored(i))
      continue;
    CHECK(down.count(to.secondary) == 0);
    CHECK(to.secondary != to.primary);
    CHECK_FALSE(c.nodes[at(to.secondary)].offline);
    CHECK(reaches(c, to.secondary, i));
    disk[at(to.secondary)] -= i.disk;
    CHECK(disk[at(to.secondary)] > 0);
  }
  for (auto n : filled)
    CHECK(memory[at(n)] > 0);
  if (!rules.full_evacuation)
    return;
  for (std::size_t k = 0; k < c.instances.size(); ++k) {
    const auto& i = c.instances[k];
    auto held = is_mirrored(i) && !i.forthcoming
                && (down.count(i.primary) + down.count(i.secondary)) > 0;
    CHECK((!held || elsewhere.count(static_cast<int>(k)) == 1));
  }
}

cluster drawn(std::uint64_t seed, int nodes, int instances) {
  auto c = samples::draw(seed, nodes, instances,
                         {.tags = seed % 4 == 0,
                          .forthcoming = seed % 5 == 0,
                          .offline = seed % 3 == 0,
                          .pools = seed % 6 == 0});
  samples::dice d{seed + 7};
  if (seed % 2 == 0) // memory is scarce
    for (auto& n : c.nodes)
      n.free_memory = std::min<mib>(n.free_memory, 500 + d.roll(14000));
  return c;
}

/// Can these be down together? Only mirrors count.
bool may_be_down(const cluster& c, const std::vector<mib>& free,
                 const std::vector<bool>& down) {
  auto left = free;
  for (const auto& i : c.instances) {
    if (down[at(i.primary)] && down[at(i.secondary)])
      return false;
    if (down[at(i.primary)])
      left[at(i.secondary)] -= i.memory;
    if (down[at(i.primary)] && left[at(i.secondary)] <= 0)
      return false;
  }
  return true;
}

/// The fewest rounds, by trying all: each node joins each round or begins one.
int fewest(const cluster& c, const std::vector<mib>& free, std::size_t node,
           std::vector<std::vector<bool>>& rounds, int best) {
  if (static_cast<int>(rounds.size()) >= best)
    return best;
  if (node == c.nodes.size())
    return static_cast<int>(rounds.size());
  for (std::size_t r = 0; r <= rounds.size(); ++r) {
    auto is_new = r == rounds.size();
    if (is_new)
      rounds.emplace_back(c.nodes.size());
    rounds[r][node] = true;
    if (may_be_down(c, free, rounds[r]))
      best = std::min(best, fewest(c, free, node + 1, rounds, best));
    rounds[r][node] = false;
    if (is_new) {
      rounds.pop_back();
      break;
    }
  }
  return best;
}

} // namespace

TEST_CASE("in no round two halves are down, and all that leaves has room") {
  auto rounds = 0;
  auto stuck = 0;
  auto moves = 0;
  for (std::uint64_t seed = 1; seed <= 240; ++seed) {
    auto c = drawn(seed, 3 + static_cast<int>(seed % 14), 60);
    placement p{c, std::nullopt, {}};
    std::vector<bool> wanted;
    samples::dice d{seed};
    for (const auto& n : c.nodes)
      wanted.push_back(!n.offline && !d.chance(10));
    roll_rules rules{.full_evacuation = seed % 7 == 0};
    auto x = fast_roll(p, wanted, rules, 20'000);
    INFO("seed " << seed);
    std::multiset<int> named;
    for (const auto& r : x.rounds) {
      named.insert(r.nodes.begin(), r.nodes.end());
      check_round(c, r, rules);
      moves += static_cast<int>(r.moves.size());
    }
    for (const auto& s : x.stuck)
      named.insert(s.node);
    for (std::size_t n = 0; n < c.nodes.size(); ++n)
      CHECK(named.count(static_cast<int>(n)) == (wanted[n] ? 1 : 0));
    CHECK(static_cast<int>(x.rounds.size()) >= x.bound.rounds());
    rounds += static_cast<int>(x.rounds.size());
    stuck += static_cast<int>(x.stuck.size());
  }
  CHECK(rounds > 400);
  CHECK(stuck > 50);
  CHECK(moves > 1000);
}

TEST_CASE("on small clusters nobody finds fewer rounds") {
  auto tight = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    auto c = samples::draw(seed, 5 + static_cast<int>(seed % 5), 16, {});
    std::erase_if(c.instances, [](const auto& i) { return i.secondary < 0; });
    for (auto& i : c.instances)
      i.status = instance_status::running;
    samples::dice d{seed};
    for (auto& n : c.nodes)
      n.free_memory = 4097 + d.roll(3000);
    placement p{c, std::nullopt, {}};
    std::vector<bool> wanted(c.nodes.size(), true);
    auto x = fast_roll(p, wanted, {}, 200'000);
    if (!x.stuck.empty())
      continue;
    auto all = static_cast<int>(c.nodes.size());
    std::vector<std::vector<bool>> open;
    auto least = fewest(c, free_memory(c), 0, open, all);
    std::vector<mib> plenty(c.nodes.size(), 1'000'000);
    INFO("seed " << seed);
    CHECK(static_cast<int>(x.rounds.size()) == least);
    tight += fewest(c, plenty, 0, open, all) < least ? 1 : 0;
  }
  CHECK(tight > 10);
}

TEST_CASE("the same effort gives the same rounds") {
  auto c = drawn(8, 16, 90);
  placement p{c, std::nullopt, {}};
  std::vector<bool> wanted(c.nodes.size(), true);
  auto nodes = [&] {
    std::vector<std::vector<int>> result;
    for (const auto& r : fast_roll(p, wanted, {}, 5'000).rounds)
      result.push_back(r.nodes);
    return result;
  };
  CHECK(nodes() == nodes());
}

} // namespace orderly::roll_properties_test
