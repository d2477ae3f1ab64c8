// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds of every plan, whichever search made it, on drawn clusters with
// all kinds of trouble: it worsens no score, breaks no N+1 that held, exceeds
// no policy that was kept, and moves nothing that may not move; an evacuation
// empties its nodes, or says what is stuck.

#include "actors/planning/place/evacuate.hpp"
#include "actors/planning/search/fast.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace orderly::search_properties_test {

using namespace orderly::planning;

namespace {

samples::flavour flavour_of(std::uint64_t seed) {
  return {.tags = seed % 2 == 0,
          // Nobody asks those about tags, as in the reference.
          .forthcoming = seed % 2 != 0 && seed % 5 == 0,
          .exclusive = seed % 7 == 0,
          .offline = seed % 3 == 0,
          .loads = seed % 4 == 0,
          .pools = seed % 6 == 0};
}

cluster drawn(std::uint64_t seed) {
  auto c
    = samples::draw(seed, 3 + static_cast<int>(seed % 9), 34, flavour_of(seed));
  if (seed % 2 == 0) // so that the limits are near
    for (auto& g : c.groups) {
      g.policy.vcpu_ratio = 1.5;
      g.policy.spindle_ratio = 1.5;
    }
  return c;
}

/// A node that was left alone is as it was; one that was not keeps the limits
/// that it kept. How many nodes are near a limit then.
int check_node(const node_facts& f, const node_state& before,
               const node_state& after) {
  CHECK((before.short_of_memory || !after.short_of_memory));
  auto cpus = static_cast<double>(after.cpus) / f.total_cpus;
  if (after.cpus > before.cpus)
    CHECK(cpus <= f.vcpu_ratio);
  if (!f.exclusive && after.spindles > before.spindles)
    CHECK(static_cast<double>(after.spindles) <= f.high_spindles);
  if (f.exclusive && after.free_spindles < before.free_spindles)
    CHECK(after.free_spindles >= 0);
  if (after.free_disk < before.free_disk) {
    CHECK(after.free_disk > 0);
    CHECK(after.free_disk >= f.low_disk);
  }
  CHECK(after.conflicts <= before.conflicts);
  return cpus > 0.8 * f.vcpu_ratio ? 1 : 0;
}

struct seen {
  int moves = 0;
  int near_limits = 0;
  int fixed = 0; ///< instances that may not move
};

/// Limits give way only where something comes off an offline node.
bool is_evacuated(const placement& before, const placement& after, int node) {
  for (int i = 0; i < before.instance_count(); ++i) {
    auto old = before.places[at(i)];
    auto now = after.places[at(i)];
    if (now == old || (now.primary != node && now.secondary != node))
      continue;
    auto off = [&](int n) { return n >= 0 && !before.facts[at(n)].online; };
    if (off(old.primary) || off(old.secondary))
      return true;
  }
  return false;
}

void check_plan(const cluster& c, const placement& before,
                const placement& after, const plan& found, seen& s) {
  CHECK(found.initial == exact_score(before));
  CHECK(found.final == exact_score(after));
  CHECK(found.final <= found.initial);
  CHECK(found.final >= found.lowest - 1e-9);
  for (int i = 0; i < before.instance_count(); ++i) {
    if (before.instances[at(i)].movable && c.instances[at(i)].auto_balance)
      continue;
    ++s.fixed;
    CHECK(after.places[at(i)] == before.places[at(i)]);
  }
  for (int n = 0; n < before.node_count(); ++n) {
    if (!before.facts[at(n)].online) {
      CHECK(after.states[at(n)].primaries <= before.states[at(n)].primaries);
      continue;
    }
    if (!is_evacuated(before, after, n))
      s.near_limits += check_node(before.facts[at(n)], before.states[at(n)],
                                  after.states[at(n)]);
  }
  for (const auto& x : found.steps) {
    CHECK(is_candidate(before, x.what.instance, {}));
    if (x.what.target >= 0)
      CHECK(before.facts[at(x.what.target)].online);
  }
  s.moves += static_cast<int>(found.steps.size());
}

} // namespace

TEST_CASE("no exact plan worsens, breaks, exceeds or moves what it may not") {
  seen s;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed);
    placement p{c, 0, {}};
    const auto before = p;
    auto found = balance(p, {});
    check_plan(c, before, p, found, s);
  }
  CHECK(s.moves > 1000);
  CHECK(s.near_limits > 50);
  CHECK(s.fixed > 200);
}

TEST_CASE("no fast plan worsens, breaks, exceeds or moves what it may not") {
  seen s;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed);
    placement p{c, 0, {}};
    const auto before = p;
    auto found = balance_fast(p, {}, {});
    check_plan(c, before, p, found.found, s);
  }
  CHECK(s.moves > 800);
  CHECK(s.near_limits > 50);
  CHECK(s.fixed > 200);
}

namespace {

/// All that is on node 0, as the kind of leaving has it.
std::vector<int> on_first_node(const placement& p, leave what) {
  std::vector<int> result;
  for (int i = 0; i < p.instance_count(); ++i) {
    auto where = p.places[at(i)];
    auto primary = where.primary == 0 && what != leave::secondary;
    auto secondary = where.secondary == 0 && what != leave::primary;
    if (primary || secondary)
      result.push_back(i);
  }
  return result;
}

bool is_left(place where, leave what) {
  return (what == leave::secondary || where.primary != 0)
         && (what == leave::primary || where.secondary != 0);
}

} // namespace

TEST_CASE("an evacuation empties the node or says what is stuck, in limits") {
  int moved = 0;
  int stuck = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed)
    for (auto what : {leave::primary, leave::secondary, leave::all}) {
      INFO("seed " << seed << " kind " << static_cast<int>(what));
      auto c = drawn(seed);
      if (seed % 3 == 0)
        c.nodes[0].offline = true; // it is dead already
      placement p{c, 0, {}};
      const auto before = p;
      auto on = on_first_node(p, what);
      auto r = evacuate(p, on, what, false);
      std::set<int> named;
      for (const auto& x : r.moved) {
        named.insert(x.instance);
        CHECK(p.places[at(x.instance)] == x.where);
        CHECK(is_left(x.where, what));
        CHECK_FALSE(x.moves.empty());
      }
      for (const auto& x : r.failed) {
        named.insert(x.instance);
        CHECK_FALSE(x.why.empty());
        CHECK(p.places[at(x.instance)] == before.places[at(x.instance)]);
      }
      CHECK(named.size() == r.moved.size() + r.failed.size());
      for (int i = 0; i < p.instance_count(); ++i)
        if (named.count(i) == 0) {
          CHECK(p.places[at(i)] == before.places[at(i)]);
          CHECK(is_left(p.places[at(i)], what));
        }
      for (int n = 0; n < p.node_count(); ++n)
        if (p.facts[at(n)].online && !is_evacuated(before, p, n))
          check_node(p.facts[at(n)], before.states[at(n)], p.states[at(n)]);
      moved += static_cast<int>(r.moved.size());
      stuck += static_cast<int>(r.failed.size());
    }
  CHECK(moved > 300);
  CHECK(stuck > 100);
}

} // namespace orderly::search_properties_test
