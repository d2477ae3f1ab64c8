// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Why an instance moves, or what holds it, in words: hbal's --explain.

#pragma once

#include "actors/planning/search/explain.hpp"
#include "io/htools/tools/plan_text.hpp"

namespace orderly::io::htools {

/// A plan with where it begins and where it ends.
struct told_plan {
  const planning::placement& before;
  const planning::placement& after;
  const std::vector<planning::step>& steps;
  const planning::search_rules& rules;
  double rate = 0; ///< see planning::standing_of
};

/// Lines about the instance, each with its end: its steps and what each term
/// gains, or what holds it where it is.
std::string explain_text(const told_plan& x, int instance,
                         const plan_names& names);

} // namespace orderly::io::htools
