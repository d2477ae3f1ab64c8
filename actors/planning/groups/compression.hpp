// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which groups could be emptied, if nobody names one: the one that reclaims
// most, or all that can be at the same time.

#pragma once

#include "actors/planning/groups/emptying.hpp"

namespace orderly::planning {

/// Groups that have nodes in service, those with the most free memory first;
/// the rest of what they have free decides between equals.
std::vector<int> most_free_first(const cluster& c, const build_options& build);

struct compression {
  std::vector<emptying> verdicts;  ///< in the order in which they were judged
  std::optional<std::size_t> best; ///< that can be, and reclaims most
};

/// Judges groups until one can be emptied.
compression empty_most_free(const cluster& c, const emptier& judge,
                            const build_options& build);

/// Judges each group, and then sets of those that can be, each with one more,
/// by the memory that is reclaimed. A group that is empty takes part in none.
compression empty_all(const cluster& c, const emptier& judge,
                      const build_options& build);

} // namespace orderly::planning
