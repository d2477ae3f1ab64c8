// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How many more instances of one size have a place in a group: what hspace
// counts, of one group by itself, up to a number that says enough.

#pragma once

#include "actors/planning/model/cluster.hpp"
#include "actors/planning/moves/placement.hpp"

namespace orderly::planning {

struct room_count {
  std::int64_t instances = 0;
  bool is_all = true; ///< false: nobody looked for more

  bool operator==(const room_count&) const = default;
};

/// Of instances like `size`, which is nowhere. A group that is closed, or has a
/// node that is short of N+1, takes none; of those on one node each must leave
/// the group such that any node could be lost. Of 10,000 nobody asks for more,
/// in groups of hundreds of nodes of fewer, since each one is tried on all of
/// them.
room_count room_left(const cluster& c, int group, const instance_spec& size,
                     const build_options& build);

} // namespace orderly::planning
