// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The simulated cluster in a planner's numbers: totals as its nodes would tell
// them, instances where they really run. The model port hands it out.

#pragma once

#include "messages/plan.hpp"
#include "sim/state/lab_state.hpp"

#include <vector>

namespace orderly::sim {

/// Nodes that are asked for figures and do not answer, sorted by name.
std::vector<node_name> silent_nodes(const lab_state& lab);

/// The cluster as it is now. Silent nodes are offline and have no figures.
cluster_model make_model(const lab_state& lab);

} // namespace orderly::sim
