// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Why a plan is as it is: what each move changes of the score, term by term,
// and which rule holds an instance that stays. The planner and io/htools print
// it.

#pragma once

#include "actors/planning/search/exact.hpp"

#include <map>

namespace orderly::planning {

/// A term that a move changes, weighted, so that changes add up.
struct term_change {
  std::string_view name;
  double before = 0;
  double after = 0;
};

using score_table_lines = std::array<score_line, 20>;

/// The terms that differ, in the order of the score.
std::vector<term_change> changes(const score_table_lines& before,
                                 const score_table_lines& after);

/// The changes of each step of a plan that begins at `p`.
std::vector<std::vector<term_change>> changes_of(placement p,
                                                 const std::vector<step>& steps,
                                                 const search_rules& rules);

/// What keeps an instance where it is. In this order: the first that holds.
enum class hold {
  disks,      ///< no tool moves such a disk template
  excluded,   ///< by the administrator
  split,      ///< its nodes lie in different groups
  unbalanced, ///< its auto_balance is off
  untouched,  ///< only what touches an offline node moves
  no_copy,    ///< no node that lives and may run it has a copy of its disks
  options,    ///< they leave it no kind of move
  refused,    ///< no node takes it
  no_gain,    ///< no move lowers the score
  cost,       ///< its best move gains less than it costs
  minimum,    ///< its best move gains less than a step must
  search,     ///< nothing; the search did not come to it
};

struct standing {
  hold why = hold::search;
  int tried = 0;
  std::map<refusal, int> refusals;
  std::optional<candidate> best; ///< of what is not refused
  double gain = 0;               ///< of `best`; a loss if negative
  double cost = 0;               ///< of `best`, in points of the score
  std::vector<term_change> terms;
};

/// Why the instance stays where it is on `p`. `rate` is what a unit of cost
/// must gain.
standing standing_of(const placement& p, int instance,
                     const search_rules& rules, double rate);

/// "12 moves were tried, refused were 4 for memory, 2 for disk".
std::string tried_text(const standing& x);

} // namespace orderly::planning
