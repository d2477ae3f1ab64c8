// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Settings for nodes and groups that the cluster does not have: a short name
// where the record has the full one, a slip, or one that was renamed. They hold
// for nobody. Pure; told by the daemon once the cluster was read.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/ids.hpp"

#include <string>
#include <vector>

namespace orderly {

/// A sentence without its end for each key of `power.levels` and
/// `host_ha.groups` that names none of these; of very many the first ones.
std::vector<std::string> keys_of_nobody(const settings& s,
                                        const std::vector<node_name>& nodes,
                                        const std::vector<group_name>& groups);

} // namespace orderly
