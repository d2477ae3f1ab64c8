// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Takes instances off their nodes, one after the other, each to the place that
// scores best in its group; later ones see what earlier ones did. hail answers
// node-evacuate, relocate and change-group by it.

#pragma once

#include "actors/planning/moves/moves.hpp"
#include "actors/planning/score/set_score.hpp"

#include <functional>
#include <variant>

namespace orderly::planning {

/// What an instance leaves: its primary, its secondary, or both.
enum class leave { primary, secondary, all };

struct evacuated {
  int instance = -1;
  int group = -1; ///< where it is then
  place where;
  std::vector<move> moves;
};

struct stuck {
  int instance = -1;
  std::string why; ///< in the reference's words
};

struct evacuation {
  std::vector<evacuated> moved;
  std::vector<stuck> failed;
};

/// Moves instances of `p` away, in this order, to online nodes of their groups
/// that none of them leaves.
evacuation evacuate(placement& p, const std::vector<int>& instances, leave what,
                    bool ignore_soft);

/// May it end like this? It is asked with the placement right before the last
/// move, and may change it, but must leave it as it was.
using good_end = std::function<bool(const outcome&)>;

/// Moves one instance, off what `what` says, to one of `targets`; the score is
/// that of `group`. The moves that were made, or why there are none. Where
/// there is a choice only ends that are good count; all are without `is_good`.
std::variant<std::vector<move>, std::string>
evacuate_one(placement& p, int instance, leave what, int group,
             const std::vector<int>& targets, bool ignore_soft,
             const good_end& is_good = {});

/// The online nodes of the group that are not in `except`, ascending.
std::vector<int> nodes_of_group(const placement& p, int group,
                                const std::vector<int>& except);

} // namespace orderly::planning
