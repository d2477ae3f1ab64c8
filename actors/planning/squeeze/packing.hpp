// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Moves the instances of some nodes of a group to the others of it, on which
// each keeps room for one more, and relieves those that have not even that.
// Who is large goes first. Where nobody has room, a smaller one makes way.

#pragma once

#include "actors/planning/moves/trial.hpp"
#include "actors/planning/squeeze/figures.hpp"

#include <set>

namespace orderly::planning {

/// Where an instance goes of all nodes that have room for it.
enum class packing_order {
  roomy, ///< to the node with the most room
  tight, ///< to the node with the least
};

class packing {
public:
  /// Moves by `t`, which is about `p`; each node that stays keeps `spare`.
  packing(placement& p, trial& t, const std::vector<bool>& stays,
          const spare_room& spare, packing_order how);

  /// False as soon as an instance finds no place. If `partly`, it goes on
  /// with the others.
  bool run(bool partly);

private:
  using rooms = std::set<std::pair<mib, int>>;

  struct gone {
    int instance = -1;
    int from = -1;
    int to = -1;
  };

  bool is_well(int node, const node_state& s) const;
  bool relieve(int node);
  int first_to_leave(int node) const;
  bool place_one(int instance, int but);
  bool make_way(int instance);
  bool change_places(int instance, int node);
  bool go(int instance, int target);
  void undo(std::size_t left);
  void shift(int instance, int from, int to);
  mib room_of(int node) const;

  placement& p_;
  trial& t_;
  std::vector<bool> stays_;
  spare_room spare_;
  packing_order how_;
  std::vector<std::vector<int>> held_; ///< on each node, those that can move
  rooms rooms_;                        ///< of nodes that stay
  std::vector<mib> listed_;            ///< as rooms_ has it
  std::vector<gone> made_;
};

} // namespace orderly::planning
