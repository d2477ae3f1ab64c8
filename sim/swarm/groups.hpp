// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What node groups have of their own: slow machines that may take long to
// answer or to boot.

#pragma once

#include "sim/world/plan.hpp"

#include <map>
#include <string>
#include <vector>

namespace orderly::sim {

/// Settings of some groups, as `[host_ha.groups]` has them; of most seeds none.
std::map<group_name, std::vector<std::string>>
draw_groups(std::uint64_t seed, const world_plan& plan);

} // namespace orderly::sim
