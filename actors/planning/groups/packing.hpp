// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Sizes into rooms that they fill almost wholly, where one after the other
// does not do: rooms are packed anew two at a time, by all that is in them and
// what found none, as long as that leaves less over. Knows sizes only; whoever
// asks tries what it says by all rules.

#pragma once

#include "actors/planning/model/cluster.hpp"

namespace orderly::planning {

struct packing_question {
  std::vector<mib> rooms;
  std::vector<mib> sizes;
  /// Of each size, each room: may it be there?
  std::vector<std::vector<bool>> open;
  /// Where sizes are at the start, or -1.
  std::vector<int> start;
  std::uint64_t seed = 1;
  std::int64_t effort = 1'000'000; ///< sizes looked at
};

/// Where each size is then; -1: nowhere. The same for the same question.
std::vector<int> pack(const packing_question& q);

} // namespace orderly::planning
