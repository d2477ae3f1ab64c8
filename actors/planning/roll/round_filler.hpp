// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One answer of round_room: instances leave the nodes of a round one after the
// other, those that have one place only first, then the largest, each to the
// node with the most room.

#pragma once

#include "actors/planning/roll/ordered_room.hpp"
#include "actors/planning/roll/round_room.hpp"

namespace orderly::planning {

class round_filler {
public:
  round_filler(const round_room& r, const std::vector<int>& down);

  std::variant<std::vector<round_move>, hindrance> run();

private:
  bool stop(obstacle why, int instance, int other, mib needed, mib free);
  bool fail_over(int node);
  bool take_over_all();
  bool place_shared(bool tightly);
  bool place_mirrors();
  bool place_mirror(int instance, std::vector<ordered_room>& disks);
  std::vector<ordered_room> in_order(const std::vector<mib>& room) const;

  const round_room& r_;
  const placement& p_;
  const std::vector<int>& down_;
  std::vector<bool> is_down_;
  std::vector<mib> room_;
  std::vector<std::int64_t> spindles_;
  std::vector<round_move> moves_;
  std::size_t given_ = 0; ///< as many of them were there before new mirrors
  hindrance hindrance_;
};

} // namespace orderly::planning
