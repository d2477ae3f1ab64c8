// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The load of groups as sums that a crossing changes in constant time, and the
// bound that no crossings get below: load that may cross is divisible there.

#pragma once

#include "actors/planning/groups/group_load.hpp"

namespace orderly::planning {

class load_sums {
public:
  /// `c` must outlive it.
  load_sums(const cluster& c, const crossing_map& map, const load_rules& rules);

  std::size_t groups() const { return groups_; }

  /// Instances that may cross for load.
  const std::vector<int>& movable() const { return movable_; }

  /// Has it a node in service?
  bool is_open(int group) const;

  /// How far the group is above the mean, by the measure that it is farthest
  /// above.
  double heat(int group) const;

  /// What the crossing takes off the scores.
  double gain(int instance, int from, int to) const;

  double cost(int instance) const;

  void shift(int instance, int from, int to);

  std::vector<load_state> states() const;

private:
  /// One measure.
  struct sums {
    std::vector<double> load;     ///< of each group
    std::vector<double> capacity; ///< the same
    std::vector<double> pinned;   ///< load that may not cross
    double whole_capacity = 0;
    double mean = 0;
    double squares = 0; ///< Σ weight (use - mean)²
  };

  double load_of(int instance, std::size_t measure) const;
  static double square(const sums& s, int group, double held);
  void join_groups(const crossing_map& map);
  double bound(const sums& s) const;

  const cluster& c_;
  load_rules rules_;
  std::size_t groups_;
  std::vector<sums> all_; ///< by measure
  std::vector<int> movable_;
  std::vector<int> part_; ///< of each group: those that share one may exchange
};

} // namespace orderly::planning
