// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Takes instances off nodes of one group that are to be empty, one after the
// other, each with what the ones before it took. empty_nodes.hpp answers an
// order with it, and whatif/ asks what would be.

#pragma once

#include "actors/planning/place/evacuate.hpp"

namespace orderly::planning {

/// What became of one instance. Moves and a reason together: it left its home,
/// and its mirror found no other node.
struct left_behind {
  std::vector<move> moves;
  std::string why;       ///< it stays where it is now; empty if it left
  bool costs_n1 = false; ///< no place was left that takes N+1 from no node
};

class leaving {
public:
  /// Of each node of `p`: whether all shall leave it, and whether nothing may
  /// come to it.
  leaving(placement& p, std::vector<bool> left, std::vector<bool> closed,
          bool ignore_soft)
    : p_(p),
      left_(std::move(left)),
      closed_(std::move(closed)),
      ignore_soft_(ignore_soft) {
    // nop
  }

  bool leaves_home(int i) const { return is_left(p_.places[at(i)].primary); }

  bool leaves_mirror(int i) const {
    return p_.instances[at(i)].mirrored && is_left(p_.places[at(i)].secondary);
  }

  /// Moves it in the placement, as far as there is a place.
  left_behind take_off(int i);

private:
  bool is_left(int node) const { return node >= 0 && left_[at(node)]; }

  bool mirror_serves(int i) const;
  std::vector<int> targets(int i) const;
  std::variant<std::vector<move>, std::string> step(int i, leave what,
                                                    bool& costs_n1);
  bool go(int i, leave what, left_behind& into);

  placement& p_;
  std::vector<bool> left_;
  std::vector<bool> closed_;
  bool ignore_soft_;
};

} // namespace orderly::planning
