// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What to buy: the fewest nodes, or the least memory, with which a change
// leaves a cluster well. Nothing is computed backwards; what_if.hpp is asked
// again with more of them until it says so, and the number before that was
// tried and did not do.

#pragma once

#include "actors/planning/whatif/what_if.hpp"

namespace orderly::planning {

/// More are not tried.
inline constexpr std::int64_t most_nodes_tried = 256;
inline constexpr std::int64_t most_gib_tried = 4096;

struct nodes_to_add {
  int group = -1;
  int like = -1; ///< a node, before the change
  std::int64_t count = 0;
};

struct memory_to_add {
  int group = -1;
  mib each = 0; ///< on each node of the group, in whole GiB
};

/// What cannot be bought is left out: what is lost, or cannot be moved wherever
/// there is room, stays so.
struct advice {
  bool is_needed = false;
  /// By group; nothing if no number of nodes that was tried does.
  std::optional<std::vector<nodes_to_add>> nodes;
  std::optional<std::vector<memory_to_add>> memory;
};

/// `answer` is that to `x`.
advice advise(const cluster& c, const change_set& x,
              const what_if_answer& answer, const build_options& build);

} // namespace orderly::planning
