// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a rolling maintenance is made of: rounds, in each of which some nodes
// are restarted at the same time, and the instances that leave them for it.
// exact_roll.hpp and fast_roll.hpp find rounds, hroller prints them.

#pragma once

#include "actors/planning/moves/placement.hpp"

namespace orderly::planning {

struct roll_rules {
  /// All instances are shut down before, so that none has to move.
  bool offline_maintenance = false;
  /// Instances without a mirror count for nothing.
  bool ignore_non_redundant = false;
  /// Mirrors leave the nodes too.
  bool full_evacuation = false;
};

/// An instance that is elsewhere during a round.
struct round_move {
  int instance = -1;
  place where;

  bool operator==(const round_move&) const = default;
};

/// Indices are those of the cluster. After a round all instances go back.
struct reboot_round {
  std::vector<int> nodes;
  std::vector<round_move> moves; ///< by instance
};

/// The largest rounds first, but the round of the master node last, and the
/// master last in it.
void order_rounds(const cluster& c, std::vector<reboot_round>& rounds);

/// Has it a second half on another node?
bool has_mirror(const instance_spec& x);

/// Does it run, and can it run nowhere else? Then it is down with its node.
bool goes_down(const instance_spec& x);

/// Does the move only make the mirror the primary and the primary the mirror?
bool is_swap(const instance_spec& x, place where);

} // namespace orderly::planning
