// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the fast search does in one go: a move, or two that only pay together,
// such as two instances that change places.

#pragma once

#include "actors/planning/search/fast_field.hpp"

namespace orderly::planning {

struct action {
  std::array<move, 2> moves{};
  std::size_t count = 0;
  double worth = 0;
};

/// The best move of the instance; worth less than nothing if it has none.
action single_action(fast_field& f, int instance);

/// The better of the best move and the best pair that begins with one of the
/// instance's promising moves, and ends with one that fills its old place from
/// its new one.
action best_action(fast_field& f, int instance);

} // namespace orderly::planning
