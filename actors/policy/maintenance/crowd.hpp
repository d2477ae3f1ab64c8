// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// When so many ask at once that the fault is more likely theirs: a bad
// collector that was rolled out everywhere, or one that makes a new event with
// each report.
//
//   open: a third of the nodes, three at least, began to ask within a minute
//   shut: fewer of them still wait to be begun

#pragma once

#include "messages/event.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace orderly::maintenance {

/// Nodes that began to ask within that time of each other count together.
inline constexpr millis crowd_window = minutes{1};

/// Of so many nodes one is a crowd, and so many it needs at least.
inline constexpr std::size_t crowd_part = 3;
inline constexpr std::size_t crowd_least = 3;

struct crowd {
  bool open = false;
  std::set<node_name> nodes; ///< that asked together
  std::string text;          ///< why nothing is begun
};

/// The next standing of the guard; `nodes` is how many the cluster has. What a
/// node says may be heard by `interval` later.
crowd crowd_of(const crowd& before, const std::vector<event_standing>& all,
               std::size_t nodes, millis interval);

/// Nodes with more open events than that, and how many.
std::map<node_name, std::size_t> overrun(const std::vector<event_standing>& all,
                                         std::size_t most);

} // namespace orderly::maintenance
