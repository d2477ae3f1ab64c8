// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Makes groups well that are not, with the room of others: unhealthy ones
// first, then those that are weakly so. Each is healed wholly or left as it is:
//
//     inside --not well--> the cheapest that leave --placed--> healed
//                     ^--- others that could leave <--not placed--'
//
// A plan is safe to stop after any step: those who leave come first.

#pragma once

#include "actors/planning/groups/group_healing.hpp"
#include "actors/planning/groups/group_report.hpp"
#include "actors/planning/groups/move_rounds.hpp"
#include "actors/planning/whatif/traffic.hpp"

namespace orderly::planning {

/// Memory that no other group has for who should leave.
struct pool_lack {
  std::optional<storage_pool> pool; ///< nothing: they have no volumes
  mib memory = 0;
};

struct healed_group {
  int group = -1;
  group_health was = group_health::healthy;
  bool is_healed = false;
  int crossings = 0;
  double cost = 0;                    ///< of the crossings
  std::vector<pool_lack> lacks;       ///< if it is not healed
  std::vector<stuck_instance> pinned; ///< who cannot leave wherever is room
};

enum class redistribution_end {
  done,         ///< every group that was not well was looked at
  all_healthy,  ///< there is nothing to do
  forbidden,    ///< repairs may not cross
  none_healthy, ///< nobody could help
};

struct redistribution {
  redistribution_end end = redistribution_end::done;
  std::vector<healed_group> groups; ///< that were not well
  std::vector<step> steps;
  move_rounds rounds;
  traffic moved;
  cluster now; ///< after all steps

  bool is_reached() const;
};

/// `effort` bounds how many sets of who leaves are thought about.
redistribution redistribute(const cluster& c, group_moves allowed,
                            const build_options& build, std::int64_t effort);

} // namespace orderly::planning
