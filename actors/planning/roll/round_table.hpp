// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which node is in which round while fast_roll.cpp looks for a plan, and what
// each round brings to the nodes that hold mirrors.

#pragma once

#include "actors/planning/roll/round_room.hpp"

namespace orderly::planning {

class round_table {
public:
  explicit round_table(const round_room& room);

  int round_of(int node) const { return round_of_[at(node)]; }

  int size() const { return static_cast<int>(members_.size()); }

  const std::vector<int>& members(int round) const {
    return members_[at(round)];
  }

  int open_round();
  void put(int node, int round);
  void take_out(int node);

  /// Takes an empty round away; the last one gets its number.
  void close_round(int round);

  /// Those who are in the round and cannot stay when the node comes, as far as
  /// mirrors go. Of many who share a mirror's memory the fewest leave.
  std::vector<int> driven_out(int node, int round) const;

  /// Is there a place for everybody whose place is not given?
  bool fits(int round) const;

private:
  void drive_out(int node, const round_room::demand& d, int round,
                 std::vector<int>& to) const;

  const round_room* room_;
  std::vector<int> round_of_; ///< -1: in none
  std::vector<std::vector<int>> members_;
  std::vector<std::vector<mib>> coming_; ///< of each round, to each node
};

} // namespace orderly::planning
