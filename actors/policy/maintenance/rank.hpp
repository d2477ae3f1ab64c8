// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which events act: one a node, the most invasive, then the oldest. One at work
// gives way to a worse one only when that may begin, or both would wait.

#pragma once

#include "messages/event.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace orderly::maintenance {

/// Something is under way for it.
inline bool is_at_work(event_phase x) {
  return x > event_phase::noted && x < event_phase::completed;
}

/// The events that act, one a node.
std::set<std::string> acting(const std::vector<event_standing>& all);

/// Nodes on which an event works.
std::set<node_name> at_work(const std::vector<event_standing>& all);

} // namespace orderly::maintenance
