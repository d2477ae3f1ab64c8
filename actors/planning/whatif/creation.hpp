// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Places for instances that do not exist yet, many of a size at once: each
// goes where the group scores best and no node loses N+1 or cover by it.

#pragma once

#include "actors/planning/place/allocate.hpp"
#include "actors/planning/whatif/apply.hpp"

namespace orderly::planning {

/// Instances that found no place, and how often each thing was in the way.
struct unplaced_instances {
  wanted_instances what; ///< `count` of them
  failure_counts failures{};
};

/// As many as fit become instances of `c`, from `number` on by name. Those that
/// name no group go to the open one with the most free memory, preferred ones
/// first. The rest, with what the last of them was refused for.
unplaced_instances create(cluster& c, const wanted_instances& what,
                          const build_options& build, std::int64_t& number);

/// Groups that such an instance may go to.
std::vector<int> open_groups(const cluster& c, const wanted_instances& what);

} // namespace orderly::planning
