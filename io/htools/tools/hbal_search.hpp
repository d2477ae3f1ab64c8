// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The search that hbal's options ask for, with its deadline in real time and
// a line on a terminal that shows that something happens. Used by hbal.cpp.

#pragma once

#include "io/htools/options/options.hpp"
#include "io/htools/tools/hbal.hpp"

#include <chrono>

namespace orderly::io::htools {

struct searched {
  planning::plan found;
  bool exact = false;
  bool cut = false; ///< by the deadline or the budget
};

/// Moves on `p`. Hears of steps: as they are found by the exact search, at the
/// end by the fast one.
searched
search_moves(planning::placement& p, const tool_options& o,
             std::chrono::steady_clock::time_point begin, tool_output to,
             const std::function<void(const planning::step&)>& on_step);

/// Sets of steps that may run at the same time: the reference's runs for the
/// exact search, waves for the fast one.
std::vector<std::vector<std::size_t>> sets_of(const searched& x);

/// What a unit of cost must gain on `p`.
double cost_rate(const planning::placement& p, const tool_options& o);

} // namespace orderly::io::htools
