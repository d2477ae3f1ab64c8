// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// In which group a new instance should be: each is asked for its best nodes,
// scored over the whole cluster; the policy of the group counts before the
// score. hail asks it for allocations and changes of group.

#pragma once

#include "actors/planning/place/allocate.hpp"
#include "actors/planning/place/evacuate.hpp"
#include "actors/planning/place/global_n1.hpp"

namespace orderly::planning {

struct room_rules {
  bool ignore_soft = false;
  bool capacity = true; ///< keep global N+1
  /// Judge by lost places and ask for no N+1 (dedicated.hpp).
  bool dedicated = false;
  /// Nodes that may be used, by name; all of them without it.
  std::optional<std::vector<std::string>> restricted;
};

/// What one group had to say.
struct group_attempt {
  int group = -1;
  std::string error; ///< it was not even asked
  allocation_result found;
};

struct group_choice {
  std::vector<int> unconnected; ///< that lack a network of the instance
  std::vector<group_attempt> tried;
  std::optional<std::size_t> best; ///< in `tried`
  bool none_allowed = false;       ///< there was no group to ask
};

/// `allowed`: only these groups, if any are given. `p` is left as it was.
group_choice choose_group(placement& p, int instance, int nodes,
                          const std::optional<std::vector<int>>& allowed,
                          const room_rules& rules);

/// One group alone, scored as if there were no other.
group_choice ask_group(placement& p, int instance, int nodes, int group,
                       const room_rules& rules);

/// A mirror for an instance that has none, as if it were drbd: its pair is
/// where it is, and the node that is found.
result<allocation_result> allocate_secondary(placement& p, int instance,
                                             const room_rules& rules);

/// Moves instances to the best of `groups`, or of all if it is empty, that none
/// of them is in.
evacuation
change_group(placement& p, const std::vector<int>& instances,
             const std::vector<int>& groups, const room_rules& rules,
             const std::function<std::string(const group_choice&)>& why);

} // namespace orderly::planning
