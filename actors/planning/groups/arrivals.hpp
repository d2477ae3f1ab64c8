// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Instances that want a place in other groups, and what they find: one try.
// emptying.hpp and redistribution.hpp make several and take the best.

#pragma once

#include "actors/planning/groups/landing.hpp"

namespace orderly::planning {

/// What stays the same from try to try.
struct arrival_question {
  const cluster& c;
  const crossing_map& map;
  const group_cuts& cuts;
  build_options build;
  std::vector<int> instances; ///< of the cluster
  std::vector<int> targets;   ///< groups, the best first
};

class arrivals {
public:
  explicit arrivals(const arrival_question& q);

  /// Each to the first group that takes it, mirrors first, the largest first.
  void place_all(fit how);

  /// Shared ones anew, so that rooms are filled well. With `spare` the node
  /// with the most room of each group is left alone, which keeps its cover.
  void pack_all(bool spare, std::uint64_t seed, std::int64_t effort);

  /// Room for those that are left, by at most so many moves for each.
  void make_room(int moves, std::int64_t& effort);

  const std::vector<int>& left() const { return left_; }

  mib left_memory() const;

  /// Moves inside groups come first, then those that arrive.
  std::vector<step> steps() const;

  /// How many of steps() are inside groups.
  std::size_t inside() const { return inside_.size(); }

  /// Is each step of these safe after the ones before it?
  static bool are_safe(const arrival_question& q,
                       const std::vector<step>& steps);

private:
  landing& open(std::size_t target);
  bool enter(int instance, fit how);
  std::vector<std::size_t> order() const;
  void leave(int instance);

  const arrival_question& q_;
  std::vector<std::unique_ptr<landing>> landings_; ///< of the targets
  std::map<int, std::size_t> where_; ///< of each instance that has a place
  std::vector<int> left_;
  std::vector<step> inside_;
};

} // namespace orderly::planning
