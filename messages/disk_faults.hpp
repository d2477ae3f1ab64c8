// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which copy of a mirror what was heard is about, for whoever relies on one of
// them.

#pragma once

#include "messages/cluster.hpp"

#include <algorithm>
#include <vector>

namespace orderly {

/// The copy on that node lacks what the other one has: its own disk there is
/// broken, or is being written anew. One that is degraded only says nothing of
/// which copy is the better one.
inline bool lacks(const disk_fault& x, const node_name& node) {
  return (x.broken || x.syncing) && x.node == node;
}

/// At least one of its disks does.
inline bool lacks(const std::vector<disk_fault>& all, const node_name& node) {
  return std::any_of(all.begin(), all.end(),
                     [&](const disk_fault& x) { return lacks(x, node); });
}

/// Nothing else is wrong: the other copy is the good one.
inline bool lacks_alone(const std::vector<disk_fault>& all,
                        const node_name& node) {
  return std::all_of(all.begin(), all.end(),
                     [&](const disk_fault& x) { return lacks(x, node); });
}

} // namespace orderly
