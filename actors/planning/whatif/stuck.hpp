// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Why an instance cannot leave a node. Programs go by the kind, people by the
// sentence.

#pragma once

#include "actors/planning/moves/moves.hpp"

namespace orderly::planning {

enum class stuck_kind {
  no_room,   ///< no node takes it; more of them, or larger ones, may help
  own_disks, ///< its disks are on its node alone and cannot be moved
  no_copy,   ///< both halves of its mirror are out of service already
  apart,     ///< its mirror is in another group
  storage,   ///< no node that it may go to reaches its volumes
};

struct stuck_instance {
  int instance = -1; ///< in the cluster
  stuck_kind kind = stuck_kind::no_room;
  std::string why;
};

/// Of an instance of `p` that found no place on `targets`.
stuck_instance stuck_on(const placement& p, int instance,
                        const std::vector<int>& targets);

/// What no planner need be asked about; `is_alive` says of each node of `p`
/// whether it can be copied from.
std::optional<stuck_instance> stuck_for_good(const placement& p, int instance,
                                             const std::vector<bool>& is_alive);

} // namespace orderly::planning
