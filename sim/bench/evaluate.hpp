// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What it costs to evaluate auto-repair on clusters of several sizes, for
// `./dev bench`: the pure policy over all instances, the same after one node
// changed, and the whole tree of actors in simulation.

#pragma once

#include <cstdint>
#include <vector>

namespace orderly::sim {

/// All times are of the processor, not of the clock on the wall.
struct evaluation {
  std::uint32_t nodes = 0;
  std::uint32_t instances = 0;
  std::uint32_t lodgers = 0; ///< of the node that changed
  std::uint32_t broken = 0;  ///< instances found broken after that
  double all_ms = 0;         ///< policy: every instance from scratch
  double node_ms = 0;        ///< policy: the lodgers of one node
  double tree_all_ms = 0;    ///< tree: from start to all evaluated
  double tree_node_ms = 0;   ///< tree: above a quiet time of equal length
  double tree_step_ms = 0;   ///< tree: the longest step of an actor in it
};

/// Five sizes, up to 1,000 nodes with 20,000 instances.
std::vector<evaluation> measure_evaluation();

/// What 10,000 tags on one instance cost at one look, in milliseconds.
double measure_many_tags();

/// As lines for people, or as members of a JSON object.
void print_evaluation(const std::vector<evaluation>& all, double many_tags_ms,
                      bool json);

} // namespace orderly::sim
