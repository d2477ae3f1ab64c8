// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The three ways in which the reference colours its graph. Each takes vertices
// one by one and gives each the first colour that no neighbour has; they differ
// in who is next. A colour is a round before capacity divides it.

#pragma once

#include "actors/planning/roll/reboot_graph.hpp"

namespace orderly::planning {

struct colouring {
  std::string_view name;
  std::vector<std::vector<int>> classes; ///< nodes of each colour, ascending
};

/// Those with the most edges first; of equals the last node.
colouring colour_by_degree(const reboot_graph& g);

/// Whose neighbours have the most colours, then who has the most edges; of
/// equals the last node.
colouring colour_by_saturation(const reboot_graph& g);

/// The same with the number of edges to neighbours that have a colour.
colouring colour_by_coloured_edges(const reboot_graph& g);

/// All three in the reference's order: the first with the fewest colours is the
/// one that it takes.
std::array<colouring, 3> all_colourings(const reboot_graph& g);

const colouring& smallest_of(const std::array<colouring, 3>& all);

/// How large the colours of each are, the fewest colours first:
/// `Dcolor: 2 (3,1) TIE LF: 2 (2,2) LOOSE Dsatur: 3 (2,1,1)`.
std::string text_of(const std::array<colouring, 3>& all);

} // namespace orderly::planning
