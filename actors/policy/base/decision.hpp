// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The shape of every machine's answer.

#pragma once

#include <string>
#include <vector>

namespace orderly {

/// What a machine makes of an event: its next state, what to do, and why.
/// `why` is empty only if nothing changed that anybody would want to know.
template <class State, class Action>
struct decision {
  State next;
  std::vector<Action> actions;
  std::string why;
};

} // namespace orderly
