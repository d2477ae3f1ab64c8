// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a group has, what of it is free, and whether it is healthy, weakly
// unhealthy or unhealthy, with why. The planners of this room begin with it,
// and hgroups shows it.

#pragma once

#include "actors/planning/whatif/judge.hpp"

namespace orderly::planning {

enum class group_health {
  healthy,
  weakly,    ///< nodes short of N+1, or whose instances nobody covers
  unhealthy, ///< instances, or halves of mirrors, on nodes out of service
};

/// What nodes in service have in sum, and have left.
struct group_room {
  mib memory = 0;
  mib free_memory = 0;
  mib disk = 0;
  mib free_disk = 0;
  std::int64_t cpus = 0;      ///< virtual ones, as many as the policy allows
  std::int64_t free_cpus = 0; ///< of these

  bool operator==(const group_room&) const = default;
};

struct group_report {
  int group = -1;
  int nodes = 0;
  int instances = 0;         ///< that have their primary there
  std::vector<int> stranded; ///< instances with a node out of service
  group_state state;
  group_room room;

  group_health health() const {
    if (!stranded.empty())
      return group_health::unhealthy;
    return state.is_well() ? group_health::healthy : group_health::weakly;
  }
};

group_room room_of(const placement& p);

/// Of all groups together.
group_room sum_of(const std::vector<group_report>& all);

/// Of each group, also of those without nodes.
std::vector<group_report> report_groups(const cluster& c,
                                        const build_options& build);

} // namespace orderly::planning
