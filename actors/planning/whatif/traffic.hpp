// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What moves copy from node to node, and the least time that it takes: what
// comes to the busiest node, or leaves it, passes its one link.

#pragma once

#include "actors/planning/search/exact.hpp"

namespace orderly::planning {

struct traffic {
  mib copied = 0;  ///< in all
  mib busiest = 0; ///< into one node, or out of it, whichever is more
};

/// `steps` in indices of the cluster. Nothing is copied from dead nodes. A
/// running instance that migrates takes its memory along, a new
/// mirror all of the disk; what starts anew elsewhere copies nothing.
traffic traffic_of(const cluster& c, const std::vector<step>& steps);

} // namespace orderly::planning
