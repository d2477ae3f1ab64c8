// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// All that orderly would do next, and why, in one list: repairs of instances,
// resets and fences of nodes, moves to balance. Composed from what the view
// and the balancer say.

#pragma once

#include "messages/plan.hpp"
#include "messages/view.hpp"

#include <string>
#include <vector>

namespace orderly::foresight {

/// The words are part of the interface.
enum class next_state {
  due,       ///< it is done as soon as its turn comes
  under_way, ///< it is being done
  waits,     ///< permitted, but something else has to happen first
  held,      ///< by pause, storm guard, or for want of the right to act
};

const char* to_string(next_state x);

struct next_act {
  /// `repair`, `fence`, `reset`, `treat` (reset or fence, as the checks will
  /// decide), `order` (of a person) or `balance`.
  std::string what;
  std::string object;
  next_state state = next_state::due;
  std::string act;
  std::string why;
};

/// `all` has status, nodes and instances. Repairs come first, then nodes and
/// what persons ordered of them, then moves in the order of their plan.
std::vector<next_act> next_acts(const view_answer& all,
                                const balance_sheet& balance);

} // namespace orderly::foresight
