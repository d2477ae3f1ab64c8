// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The fewest rounds in which all wanted nodes are restarted while instances
// run: no two halves of a mirrored instance are down at once, and all that
// leaves a node has memory where it goes.
//
//   first fit --> dissolve the smallest round --> repair --all placed--> again
//                                                    |
//                                                    +--effort spent--> done
//
// Repair puts a node into the round where it drives out the fewest, and those
// are placed next; nobody goes back at once where he was driven out (tabu).

#pragma once

#include "actors/planning/roll/roll_bound.hpp"

namespace orderly::planning {

struct stuck_node {
  int node = -1;
  hindrance why;
};

struct rolled {
  std::vector<reboot_round> rounds;
  std::vector<stuck_node> stuck; ///< they are in no round
  roll_bound bound;              ///< of the nodes that are in one
};

/// `p` is of the whole cluster. `effort` bounds the work, in about as many
/// places tried; the same effort gives the same rounds on every machine.
rolled fast_roll(const placement& p, const std::vector<bool>& wanted,
                 roll_rules rules, std::int64_t effort);

} // namespace orderly::planning
