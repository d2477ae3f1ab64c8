// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Is the load of groups even, and which crossings make it so? A group's use is
// the load of its instances against what its nodes have; the score is how far
// uses are from their mean, each group weighing by its size, so that a group
// that is cut into two halves changes nothing.

#pragma once

#include "actors/planning/groups/crossing.hpp"
#include "actors/planning/groups/group_cut.hpp"
#include "actors/planning/groups/move_rounds.hpp"
#include "actors/planning/whatif/traffic.hpp"

namespace orderly::planning {

/// What load is counted in.
enum class load_measure { memory, cpu };

struct load_rules {
  std::vector<load_measure> measures{load_measure::memory};
  bool disk_moves = false; ///< mirrored instances may go, too
  double outlier = 0.15;   ///< off the mean
  /// What a crossing must take off the score for each migration that it costs,
  /// times the number of nodes: in a larger cluster one moves less of it. It
  /// keeps moves from going on for nothing.
  double least_gain = 5e-4;
};

/// The use of each group; -1: it has no node in service.
struct load_state {
  std::vector<double> use;
  double mean = 0;
  double score = 0;
  double bound = 0; ///< no crossings bring the score below it
  std::vector<int> outliers;
};

struct load_answer {
  std::vector<load_state> before; ///< by each measure
  std::vector<load_state> after;
  std::vector<step> steps;
  move_rounds rounds;
  traffic moved;

  /// Of all measures: the part of the way to the bound that was gone.
  double reached() const;
};

/// How groups are used now, without moving anything.
std::vector<load_state> loads_of(const cluster& c, const crossing_map& map,
                                 const load_rules& rules);

/// Each instance crosses at most once. `effort` bounds the places looked at.
load_answer even_load(const cluster& c, const crossing_map& map,
                      const load_rules& rules, const build_options& build,
                      std::int64_t effort);

} // namespace orderly::planning
