// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Every group in which a new instance could be, in the order in which hail
// would take them: the answer's key `groups` of --all-groups.

#pragma once

#include "actors/planning/place/choose_group.hpp"

#include <string>

namespace orderly::io::htools {

/// A JSON list: by the policy of allocation, then by score, each with the nodes
/// or with why there are none. Groups whose instance policy does not allow the
/// disk template are left out. `x` is what all groups said.
std::string all_groups(const planning::placement& p,
                       const planning::group_choice& x, int instance);

} // namespace orderly::io::htools
