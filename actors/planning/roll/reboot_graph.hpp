// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which nodes the reference does not restart together, as a graph that is in
// all the one that it makes: an edge for each instance, however many there are
// of a pair, loops, and the order of each list, for ties are broken by them.

#pragma once

#include "actors/planning/model/cluster.hpp"

namespace orderly::planning {

/// The vertices are the nodes from the first wanted to the last; those between
/// that are not wanted have no edges, and are coloured too.
struct reboot_graph {
  int first = 0;
  std::vector<std::vector<int>> neighbours; ///< of `first` and what follows

  int end() const { return first + static_cast<int>(neighbours.size()); }

  const std::vector<int>& of(int node) const {
    return neighbours[at(node - first)];
  }
};

/// Edges join the two nodes of an instance. While instances run, `running`,
/// they also join two primaries whose mirrors are on one node. Nothing without
/// a wanted node.
std::optional<reboot_graph>
graph_of(const cluster& c, const std::vector<bool>& wanted, bool running);

/// As the reference shows it: `array (0,1) [(0,[1]),(1,[0])]`.
std::string text_of(const reboot_graph& g);

} // namespace orderly::planning
