// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// From where an instance is to where it shall be, whatever way a search took:
// the fewest moves that do it, and what they cost. The fast search counts its
// costs by it; net_plan.hpp writes its plan with it.

#pragma once

#include "actors/planning/search/exact.hpp"

namespace orderly::planning {

/// The cost of a live migration or a failover; all other costs count by it.
inline constexpr double migration_cost = 1;

/// A disk that is mirrored anew costs a migration, and one more for so many
/// GiB that go over the wire.
inline constexpr double gib_for_one_migration = 64;

/// How many moves, and their cost together.
struct net_cost {
  int moves = 0;
  double cost = 0;
};

net_cost net_cost_of(const placement& p, int instance, place from, place to);

/// What one move costs.
double cost_of(const placement& p, const move& m);

/// The kind of the one move that brings a mirrored instance there, and its
/// target; none if it takes two, or none at all.
std::optional<move> single_move(int instance, place from, place to);

/// The ways of at most two moves from where it is now, the cheapest first.
/// Empty if it is there.
std::vector<std::vector<move>> ways(const placement& p, int instance, place to);

} // namespace orderly::planning
