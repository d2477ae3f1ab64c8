// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a node would be that nobody has bought yet: empty, and in service.

#pragma once

#include "actors/planning/whatif/changes.hpp"
#include "messages/result.hpp"

namespace orderly::planning {

/// As the node is now, with nothing on it.
node_spec empty_twin(const node_spec& like);

/// Of the sizes of `x`, with what the nodes of the group have in common: the
/// most that any of them keeps for its own system, and the storage that all of
/// them reach. The fault says why sizes alone do not say enough.
result<node_spec> node_of_size(const cluster& c, const new_nodes& x, int group);

/// Does anybody know how large it is?
bool has_figures(const node_spec& x);

} // namespace orderly::planning
