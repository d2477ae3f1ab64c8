// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Can all instances of a group go to other groups, and how? Proofs that they
// cannot come first: who may go nowhere, and what is short by a flow. Then
// searches, from the quickest to the most patient:
//
//     roomy --left--> tight --left--> packed --left--> room made by moves
//
// No group that takes them loses N+1 or cover after any step.

#pragma once

#include "actors/planning/groups/arrivals.hpp"
#include "actors/planning/groups/move_rounds.hpp"
#include "actors/planning/groups/room_flow.hpp"
#include "actors/planning/whatif/traffic.hpp"

namespace orderly::planning {

enum class empty_verdict { can, cannot, not_found };

/// Who may go nowhere.
struct kept_instance {
  int instance = -1;
  std::vector<barrier> into; ///< of each group; none: no node is large enough
};

struct emptying {
  std::vector<int> groups; ///< that are to be empty
  empty_verdict is = empty_verdict::can;
  std::vector<kept_instance> kept;
  std::optional<shortage> lacks;
  std::vector<step> steps; ///< in numbers of the cluster, in order
  move_rounds rounds;      ///< of the steps
  traffic moved;
  std::vector<int> left; ///< that found no place, by all that was tried
  mib left_memory = 0;
};

class emptier {
public:
  /// All must outlive it.
  emptier(const cluster& c, const crossing_map& map, const build_options& build,
          std::int64_t effort);

  emptying judge(const std::vector<int>& groups) const;

private:
  std::vector<kept_instance> kept_of(const std::vector<int>& instances,
                                     const std::vector<bool>& emptied) const;
  bool search(emptying& x, const std::vector<int>& instances,
              const std::vector<int>& targets) const;
  bool accept(emptying& x, const arrivals& found) const;

  const cluster& c_;
  const crossing_map& map_;
  build_options build_;
  std::int64_t effort_;
  group_cuts cuts_;
  room_flow flow_;
  std::vector<mib> largest_; ///< that a node in service of each group holds
};

} // namespace orderly::planning
