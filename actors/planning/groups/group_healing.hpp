// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One group that is not well, and who has to leave it so that moves inside it
// make it well. Whether others take those who leave is asked elsewhere;
// redistribution.hpp puts both together.

#pragma once

#include "actors/planning/groups/crossing.hpp"
#include "actors/planning/groups/group_cut.hpp"
#include "actors/planning/search/exact.hpp"
#include "actors/planning/whatif/stuck.hpp"

#include <set>

namespace orderly::planning {

/// What is left to do inside when some have left.
struct inside_plan {
  bool is_well = false;
  std::vector<step> steps;           ///< in numbers of the cluster
  std::vector<stuck_instance> stuck; ///< the same
};

class group_healing {
public:
  /// All must outlive it.
  group_healing(const cluster& c, const group_cuts& cuts, int group,
                const build_options& build);

  /// Moves inside the group once these are gone. Asked twice it is thought
  /// about once.
  const inside_plan& without(const std::set<int>& gone);

  /// Who should leave beside those, as the group is after the plan without
  /// them: who is stuck, else the cheapest that mend N+1 and cover, by halves
  /// of mirrors on nodes that lack it first, then by primaries there. None if
  /// nobody helps.
  std::set<int> more_to_leave(const std::set<int>& gone,
                              const crossing_map& map,
                              const std::set<int>& kept);

  /// How often a plan was thought about.
  int plans() const { return static_cast<int>(known_.size()); }

private:
  cluster part_without(const std::set<int>& gone,
                       std::vector<int>& instances) const;
  std::set<int> for_n1(const std::set<int>& gone, const crossing_map& map,
                       const std::set<int>& kept);

  const cluster& c_;
  int group_;
  build_options build_;
  group_cut cut_;
  std::map<std::set<int>, inside_plan> known_;
};

/// What it costs that an instance goes to another group, in live migrations.
double crossing_cost(const instance_spec& x);

} // namespace orderly::planning
