// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Settings for nodes and groups that the cluster does not have: a short name
// where the record has the full one, a slip, or one that was renamed. They hold
// for nobody. Pure; told by the daemon once the cluster was read, and by
// `orderly verify`.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/ids.hpp"

#include <string>
#include <vector>

namespace orderly {

struct key_of_nobody {
  std::string key; ///< as the file spells it: power.levels."nod2"
  std::string why; ///< what a sentence says of it, without its end
};

/// The keys of `power.levels` and `host_ha.groups` that name none of these; of
/// very many the first ones.
std::vector<key_of_nobody>
keys_of_nobody(const settings& s, const std::vector<node_name>& nodes,
               const std::vector<group_name>& groups);

} // namespace orderly
