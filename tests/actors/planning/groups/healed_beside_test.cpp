// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is healed, beside a simple way of healing and beside trying everything,
// which share nothing with the planner.

#include "actors/planning/groups/redistribution.hpp"
#include "tests/support/planning/drawn_sick.hpp"
#include "tests/support/planning/plain_rules.hpp"

#include <catch2/catch.hpp>

namespace orderly::healed_beside_test {

using namespace orderly::planning;
using samples::draw_sick;

namespace {

/// The simple way, by the plain rules: those who are on dead nodes, mirrors on
/// short nodes, and primaries there leave one by one until the group is well,
/// each to the first place of another group that has room for it.
bool simply_heals(plain_rules rules, int group) {
  auto is_well = [&] {
    for (int n = 0; n < rules.count(); ++n)
      if (rules.group_of(n) == group
          && (rules.is_on(n) ? !rules.has_n1(n) || !rules.is_covered(n)
                             : rules.instances_on(n) > 0))
        return false;
    return true;
  };
  auto counts_well = [&](int other) {
    auto result = 0;
    for (int n = 0; n < rules.count(); ++n)
      if (rules.group_of(n) == other && rules.is_on(n))
        result += (rules.has_n1(n) ? 1 : 0) + (rules.is_covered(n) ? 1 : 0);
    return result;
  };
  auto is_bad = [&](int n) {
    return n >= 0 && rules.group_of(n) == group && rules.is_on(n)
           && (!rules.has_n1(n) || !rules.is_covered(n));
  };
  auto is_dead = [&](int n) { return n >= 0 && !rules.is_on(n); };
  auto allocate = [&](instance_spec& x) {
    auto before = x;
    for (int n = 0; n < rules.count(); ++n) {
      auto other = rules.group_of(n);
      if (!rules.is_on(n) || other == group)
        continue;
      auto well = counts_well(other);
      for (int s = 0; s < rules.count(); ++s) {
        if (x.secondary >= 0
            && (s == n || rules.group_of(s) != other || !rules.is_on(s)))
          continue;
        x.primary = n;
        x.secondary = before.secondary < 0 ? -1 : s;
        if (rules.free_memory(n) > 0 && counts_well(other) >= well)
          return true;
        x = before;
        if (x.secondary < 0)
          break;
      }
    }
    return false;
  };
  for (auto phase : {0, 1, 2})
    for (auto& x : rules.now().instances) {
      auto lives = rules.group_of(x.primary) == group;
      auto meant = phase == 0   ? is_dead(x.primary) || is_dead(x.secondary)
                   : phase == 1 ? is_bad(x.secondary)
                                : is_bad(x.primary);
      if (is_well() || !lives || !meant)
        continue;
      if (x.disks == disk_template::plain || !allocate(x))
        return false;
    }
  return is_well();
}

/// Shared and pinned instances as bare numbers, to try everything with.
struct bare {
  std::vector<int> group;
  std::vector<bool> on;
  std::vector<mib> free;

  struct held {
    mib size;
    int node;
    bool pinned;
  };

  std::vector<held> all;

  explicit bare(const cluster& c) {
    for (const auto& n : c.nodes) {
      group.push_back(n.group);
      on.push_back(!n.offline);
      free.push_back(n.free_memory);
    }
    for (const auto& i : c.instances)
      all.push_back({i.memory, i.primary, i.disks == disk_template::plain});
  }

  bool covered(int lost) const {
    std::vector<mib> sizes;
    for (const auto& x : all)
      if (x.node == lost && !x.pinned)
        sizes.push_back(x.size);
    std::sort(sizes.rbegin(), sizes.rend());
    std::vector<mib> room;
    for (std::size_t n = 0; n < free.size(); ++n)
      if (on[n] && group[n] == group[at(lost)] && static_cast<int>(n) != lost)
        room.push_back(free[n]);
    for (auto size : sizes) {
      auto most = std::max_element(room.begin(), room.end());
      if (most == room.end() || *most <= size)
        return false;
      *most -= size;
    }
    return true;
  }

  bool well(int g) const {
    for (std::size_t n = 0; n < free.size(); ++n)
      if (group[n] == g && on[n]
          && (free[n] <= 0 || !covered(static_cast<int>(n))))
        return false;
    return std::none_of(all.begin(), all.end(), [&](const held& x) {
      return group[at(x.node)] == g && !on[at(x.node)];
    });
  }
};

/// The fewest crossings with which at most `moves` moves heal the group while
/// all others that are well stay so; nothing if none do.
class exhaustive {
public:
  exhaustive(const cluster& c, int group) : b_(c), group_(group) {
    for (int g = 0; g < static_cast<int>(c.groups.size()); ++g)
      if (g != group && b_.well(g))
        keep_.push_back(g);
  }

  std::optional<int> run(int moves) {
    go(0, moves, 0);
    return best_;
  }

private:
  void go(std::size_t from, int moves, int crossings) {
    if (best_ && *best_ <= crossings)
      return;
    auto stranded
      = std::count_if(b_.all.begin(), b_.all.end(), [&](const bare::held& x) {
          return b_.group[at(x.node)] == group_ && !b_.on[at(x.node)];
        });
    if (stranded > moves)
      return;
    if (stranded == 0 && b_.well(group_)
        && std::all_of(keep_.begin(), keep_.end(),
                       [&](int g) { return b_.well(g); }))
      best_ = crossings;
    if (moves == 0)
      return;
    for (auto k = from; k < b_.all.size(); ++k) {
      auto& x = b_.all[k];
      auto home = x.node;
      if (x.pinned || b_.group[at(home)] != group_)
        continue;
      for (int n = 0; n < static_cast<int>(b_.free.size()); ++n) {
        if (n == home || !b_.on[at(n)] || b_.free[at(n)] <= x.size)
          continue;
        b_.free[at(home)] += x.size;
        b_.free[at(n)] -= x.size;
        x.node = n;
        go(k + 1, moves - 1, crossings + (b_.group[at(n)] == group_ ? 0 : 1));
        x.node = home;
        b_.free[at(home)] -= x.size;
        b_.free[at(n)] += x.size;
      }
    }
  }

  bare b_;
  int group_;
  std::vector<int> keep_;
  std::optional<int> best_;
};

} // namespace

TEST_CASE("what the simple way heals is healed") {
  auto seen = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    auto c
      = draw_sick(seed, 50 + static_cast<int>(seed % 5) * 8, seed % 2 == 0);
    auto r = redistribute(c, group_moves::repair, {}, 200'000);
    if (r.end != redistribution_end::done || r.groups.size() != 1)
      continue;
    if (!simply_heals(plain_rules{c}, r.groups[0].group))
      continue;
    ++seen;
    CHECK(r.is_reached());
  }
  CHECK(seen >= 30);
}

TEST_CASE("nearly all that trying everything heals is healed, and costs little "
          "more") {
  auto possible = 0;
  auto reached = 0;
  auto least = 0;
  auto spent = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    auto c = draw_sick(seed, 58 + static_cast<int>(seed % 4) * 6, false);
    auto r = redistribute(c, group_moves::repair, {}, 2'000'000);
    if (r.end != redistribution_end::done || r.groups.size() != 1)
      continue;
    auto best = exhaustive{c, r.groups[0].group}.run(3);
    if (!best)
      continue;
    ++possible;
    if (!r.is_reached())
      continue;
    ++reached;
    least += *best;
    spent += r.groups[0].crossings;
  }
  INFO(reached << " of " << possible << ", " << spent
               << " crossings instead of " << least);
  CHECK(possible >= 10);
  CHECK(100 * reached >= 95 * possible);
  CHECK(4 * spent <= 5 * least);
}

} // namespace orderly::healed_beside_test
