// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where a new instance should go on nodes that give whole disks away
// (exclusive storage). A balanced score says little there: what counts is how
// many instances of the least sizes that the policy allows find no place any
// more. hail asks it, as the reference does.

#pragma once

#include "actors/planning/place/allocate.hpp"

namespace orderly::planning {

/// Has every node of every group that may be used exclusive storage? With
/// `group` only that one counts.
bool is_dedicated(const cluster& c, std::optional<int> group);

/// As allocate(), but what is lost decides: of each least size of `policy`, the
/// largest disk first, the places that are gone, and then the disk that stays
/// free. `p` is left as it was but for one instance more that is nowhere.
result<allocation_result>
allocate_dedicated(placement& p, int instance, std::vector<int> targets,
                   int nodes, const instance_policy& policy, bool ignore_soft);

} // namespace orderly::planning
