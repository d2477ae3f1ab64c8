// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A group in which a node lacks the least room, N+1 or cover, or an instance
// sits on an offline node: what can be moved, and which standby nodes must be
// switched on for it.

#pragma once

#include "actors/planning/squeeze/fast_squeeze.hpp"

namespace orderly::planning {

/// How many nodes of the group lack something: room for `spare`, N+1 or
/// cover; and how many instances could leave an offline node.
int lacking(const placement& p, const spare_room& minimal);

/// Fills `result`, whose group it is, with as few nodes as help most.
void wake_group(const cluster& c, const build_options& build,
                const spare_room& minimal, group_squeeze& result);

} // namespace orderly::planning
