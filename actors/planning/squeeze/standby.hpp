// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which nodes may be switched off and on, and the room that a node which is on
// must keep. Both ways of squeezing begin with it.

#pragma once

#include "actors/planning/moves/moves.hpp"

namespace orderly::planning {

/// A node whose tags begin so may be switched on when room is short.
inline constexpr std::string_view standby_prefix = "htools:standby:";

/// The tag of a node that was switched off because nobody needed it.
inline constexpr std::string_view standby_auto = "htools:standby:auto";

/// How much room each node that is on must have, in standard instances.
struct spare_factors {
  double minimal = 2; ///< with less of it, nodes are switched on
  double target = 2;  ///< no node is switched off that leaves less
};

bool is_standby(const node_spec& x);

/// Nodes that are online, not the master's, nobody's mirror, and without
/// instances on their own disks: those with the most instances first.
std::vector<int> nodes_to_switch_off(const cluster& c);

/// Offline nodes with a standby tag.
std::vector<int> nodes_to_switch_on(const cluster& c);

/// What one more instance on shared storage takes of a node.
struct spare_room {
  mib memory = 0;
  std::int64_t cpus = 0;
};

/// Of `factor` standard instances, rounded down.
spare_room spare_of(const instance_size& standard, double factor);

/// Could the node take that much, within all limits, if it were in this state?
/// The answer is that of add_primary() for such an instance.
bool has_room(const placement& p, int node, const node_state& s,
              const spare_room& x);

} // namespace orderly::planning
