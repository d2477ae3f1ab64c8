// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Below how many rounds no plan can get, by two simple counts. fast_roll.cpp
// stops there, and hroller says it.

#pragma once

#include "actors/planning/roll/round_room.hpp"

namespace orderly::planning {

struct roll_bound {
  /// Nodes of which no two can be down together.
  int clique = 0;
  /// What the memory of one node, or of all of a group, lets through.
  int capacity = 0;

  int rounds() const { return clique > capacity ? clique : capacity; }
};

/// `nodes` are those that are restarted, ascending.
roll_bound bound_of(const round_room& room, const std::vector<int>& nodes);

} // namespace orderly::planning
