// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Nodes in the order of what they have left of something, so that whoever
// needs some of it need not ask them all. round_filler.cpp fills rounds by it.

#pragma once

#include "actors/planning/model/cluster.hpp"

#include <limits>
#include <set>

namespace orderly::planning {

class ordered_room {
public:
  void add(int node, mib room) { nodes_.emplace(room, -node); }

  struct found {
    int node = -1; ///< or there is none
    mib room = 0;
  };

  /// The one with the most left that is accepted; of equals the first.
  template <class Accepts>
  found most(Accepts accepts) const {
    for (auto x = nodes_.rbegin(); x != nodes_.rend(); ++x)
      if (accepts(-x->second))
        return {-x->second, x->first};
    return {};
  }

  /// The one with the least that is enough.
  template <class Accepts>
  found least(mib needed, Accepts accepts) const {
    constexpr auto first = std::numeric_limits<int>::min();
    for (auto x = nodes_.lower_bound({needed, first}); x != nodes_.end(); ++x)
      if (accepts(-x->second))
        return {-x->second, x->first};
    return {};
  }

  void take(found x, mib amount) {
    nodes_.erase({x.room, -x.node});
    nodes_.emplace(x.room - amount, -x.node);
  }

private:
  /// What is left and the node, negative: of equals the first is the last.
  std::set<std::pair<mib, int>> nodes_;
};

} // namespace orderly::planning
