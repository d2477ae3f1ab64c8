// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a move asks of nodes, told once more from what Ganeti does for it: where
// the instance or its mirror comes to, where it runs meanwhile, and what is
// copied from where. Shares nothing with what it judges but the names of moves.

#pragma once

#include "actors/planning/search/exact.hpp"

#include <catch2/catch.hpp>

namespace orderly::planning {

struct asked_nodes {
  std::vector<int> filled; ///< get what they did not have
  std::vector<int> hosts;  ///< run it, were it only for a moment
  std::vector<int> read;   ///< its disks are copied from there
};

/// Of a move of an instance that is at `from`.
inline asked_nodes asked_of(const move& m, place from) {
  auto a = from.primary;
  auto b = from.secondary;
  auto t = m.target;
  switch (m.kind) {
  case move_kind::failover: // migrate
    return {{}, {b}, {}};
  case move_kind::failover_to: // migrate to t
    return {{t}, {t}, {}};
  case move_kind::replace_secondary: // the mirror is made anew from a
    return {{t}, {}, {a}};
  case move_kind::replace_and_failover: // the same, then migrate
    return {{t}, {t}, {a}};
  case move_kind::replace_primary: // migrate, mirror anew from b, migrate
    return {{t}, {b, t}, {b}};
  case move_kind::failover_and_replace: // migrate, mirror anew from b
    return {{t}, {b}, {b}};
  }
  return {};
}

/// What is filled is in service; what runs it, or is copied from, lives at
/// least. `c` is the cluster in whose indices the move is.
inline void check_in_service(const cluster& c, const move& m, place from) {
  auto x = asked_of(m, from);
  auto is_dead
    = [&c](int n) { return c.nodes[at(n)].offline && c.nodes[at(n)].dead; };
  for (auto n : x.filled)
    CHECK_FALSE(c.nodes[at(n)].offline);
  for (auto n : x.hosts)
    CHECK_FALSE(is_dead(n));
  for (auto n : x.read)
    CHECK_FALSE(is_dead(n));
}

} // namespace orderly::planning
