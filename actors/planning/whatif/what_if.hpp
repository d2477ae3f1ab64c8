// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The question and its whole answer: what a cluster is now, what it would be
// after a change, and what could be done about it then. advise.hpp asks it
// again and again.

#pragma once

#include "actors/planning/whatif/judge.hpp"
#include "actors/planning/whatif/remedy.hpp"
#include "actors/planning/whatif/traffic.hpp"

namespace orderly::planning {

enum class verdict {
  well,        ///< nothing need be moved
  after_moves, ///< the steps make it well
  not_well,
};

struct what_if_answer {
  verdict is = verdict::well;
  std::vector<group_state> before;
  std::vector<group_state> after;
  std::vector<bool> is_emptied;    ///< of each group
  std::vector<int> lost_instances; ///< indices before the change
  std::vector<stuck_instance> stuck;
  std::vector<unplaced_instances> unplaced;
  std::vector<int> added; ///< nodes
  std::int64_t created = 0;
  std::vector<step> steps; ///< in indices of `now`
  traffic moved;
  cluster now; ///< after all steps
};

result<what_if_answer> what_if(const cluster& c, const change_set& x,
                               const build_options& build);

/// Is all well that more nodes, or larger ones, could make so? What is lost, or
/// cannot be moved wherever there is room, does not count.
bool has_room_for_all(const what_if_answer& x);

} // namespace orderly::planning
