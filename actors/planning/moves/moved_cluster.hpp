// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A placement written back into the cluster that it was made of. Tools save
// it, and whoever plans in several stages begins the next one with it.

#pragma once

#include "actors/planning/moves/placement.hpp"

namespace orderly::planning {

/// `c` after the moves of `p`: where instances are, and what nodes have left.
/// A placement of it scores as `p` does.
cluster moved_cluster(const cluster& c, const placement& p);

} // namespace orderly::planning
