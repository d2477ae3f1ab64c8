// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The moves that make a group well again, and no more of them: the plan of a
// search, as far as it is needed.

#pragma once

#include "actors/planning/search/exact.hpp"

namespace orderly::planning {

/// Steps after which the group of `p` has N+1 and cover, none if it has them
/// now; nothing if no search finds such a plan.
std::optional<std::vector<step>> mending_steps(const placement& p);

/// Steps that make the load even, whatever they are good for: they gather room
/// where it is in pieces.
std::vector<step> gathering_steps(const placement& p);

} // namespace orderly::planning
