// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A cluster after moves that may have gone from group to group: where instances
// are, and what nodes have left. Tools save it, and a planner that works in
// stages begins the next one with it.

#pragma once

#include "actors/planning/search/exact.hpp"

namespace orderly::planning {

cluster crossed_cluster(const cluster& c, const std::vector<step>& steps);

} // namespace orderly::planning
