// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/score/shared_n1.hpp"
#include "actors/planning/search/fast.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace orderly::score_shared_n1_test {

using namespace orderly::planning;

namespace {

/// The definition, word for word: greatest first, to the node with the most
/// room of those that reach it, the first of equals.
bool is_covered(const placement& p, int dead) {
  if (!p.facts[at(dead)].online)
    return true;
  std::vector<std::pair<mib, int>> sizes; // negative: the greatest first
  for (int i = 0; i < p.instance_count(); ++i)
    if (p.places[at(i)].primary == dead && needs_shared_room(p, i))
      sizes.emplace_back(-p.instances[at(i)].memory, p.storage.pool(i));
  std::sort(sizes.begin(), sizes.end());
  std::vector<mib> room(p.states.size(), -1);
  for (int n = 0; n < p.node_count(); ++n)
    if (n != dead && p.facts[at(n)].online)
      room[at(n)] = p.unallocated(n, p.states[at(n)]) - p.reserve(n, dead);
  for (auto [size, pool] : sizes) {
    std::size_t most = at(dead);
    for (std::size_t n = 0; n < room.size(); ++n)
      if (p.storage.reaches_pool(static_cast<int>(n), pool)
          && (room[n] > room[most] || (n < most && room[n] == room[most])))
        most = n;
    if (room[most] <= -size)
      return false;
    room[most] += size;
  }
  return true;
}

/// A cluster that is nearly full, so that covers come and go.
cluster full(std::uint64_t seed, int nodes) {
  samples::flavour f{.offline = seed % 3 == 0, .pools = seed % 4 == 0};
  auto c = samples::draw(seed, nodes, nodes * 9, f);
  for (auto& n : c.nodes)
    n.free_memory = n.free_memory * static_cast<mib>(8 + seed % 25) / 100;
  return c;
}

} // namespace

TEST_CASE("the cover of each node is what the definition says, on any walk") {
  int moves = 0;
  int covered = 0;
  int bare = 0;
  int lost = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    auto c = full(seed, 2 + static_cast<int>(seed % 9));
    placement p{c, 0, {}};
    shared_n1 cover{p};
    samples::dice d{seed};
    for (int k = 0; k < 120; ++k) {
      auto i = d.roll(p.instance_count());
      auto t = d.roll(p.node_count());
      auto from = p.places[at(i)];
      auto kind = p.instances[at(i)].mirrored
                    ? static_cast<move_kind>(2 + d.roll(4))
                    : move_kind::failover_to;
      if (!is_candidate(p, i, {}) || !p.facts[at(t)].online || t == from.primary
          || t == from.secondary)
        continue;
      auto x = try_move(p, {i, kind, t}, true);
      if (x.why != refusal::none)
        continue;
      std::vector<bool> before;
      for (int n = 0; n < p.node_count(); ++n)
        before.push_back(cover.covered(n));
      auto plenty = cover.has_plenty(1);
      make_move(p, {i, kind, t}, x);
      auto said = cover.follow(p, i, from);
      ++moves;
      auto any_lost = false;
      int uncovered = 0;
      for (int n = 0; n < p.node_count(); ++n) {
        auto now = is_covered(p, n);
        CHECK(cover.covered(n) == now);
        any_lost |= before[at(n)] && !now;
        uncovered += now ? 0 : 1;
        (now ? covered : bare) += 1;
      }
      CHECK(said == any_lost);
      CHECK(cover.uncovered() == uncovered);
      CHECK_FALSE((plenty && any_lost));
      lost += any_lost ? 1 : 0;
    }
  }
  CHECK(moves > 2000);
  CHECK(covered > 5000);
  CHECK(bare > 1000);
  CHECK(lost > 50);
}

TEST_CASE("a move and its opposite leave the cover as it was") {
  auto c = full(2, 6);
  placement p{c, 0, {}};
  shared_n1 cover{p};
  int undone = 0;
  for (int i = 0; i < p.instance_count(); ++i) {
    auto from = p.places[at(i)];
    auto t = (from.primary + 1) % p.node_count();
    if (p.instances[at(i)].mirrored || !is_candidate(p, i, {})
        || !p.facts[at(t)].online)
      continue;
    auto kept = p;
    auto uncovered = cover.uncovered();
    auto x = try_move(p, {i, move_kind::failover_to, t}, true);
    if (x.why != refusal::none)
      continue;
    make_move(p, {i, move_kind::failover_to, t}, x);
    cover.follow(p, i, from);
    p = kept;
    cover.follow(p, i, {t, -1});
    CHECK(cover.uncovered() == uncovered);
    ++undone;
  }
  CHECK(undone > 5);
}

TEST_CASE("as a term, what is not covered pulls the search to cover it") {
  int before = 0;
  int with_term = 0;
  int without = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    auto c = full(seed, 6);
    auto run = [&](shared_n1_use use) {
      placement p{c, 0, {}};
      fast_rules fast;
      fast.shared_n1 = use;
      balance_fast(p, {}, fast);
      return shared_n1{p}.uncovered();
    };
    placement p{c, 0, {}};
    auto start = shared_n1{p}.uncovered();
    before += start;
    with_term += run(shared_n1_use::term);
    without += run(shared_n1_use::off);
    CHECK(run(shared_n1_use::constraint) <= start);
  }
  CHECK(before > 0);
  CHECK(with_term <= without);
}

} // namespace orderly::score_shared_n1_test
