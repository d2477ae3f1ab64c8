// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Groups the moves of a plan into sets that can run at the same time, as hbal
// prints and submits them, runs of moves that share no node; or into waves,
// which the plans of the fast search use.

#pragma once

#include "actors/planning/search/exact.hpp"

namespace orderly::planning {

/// What one move is made of, each an opcode of Ganeti.
struct move_part {
  enum class what { migrate, migrate_to, replace_disks };

  what kind = what::migrate;
  int node = -1; ///< where to; none for a plain migration
};

std::vector<move_part> parts_of(const move& m);

/// Sets of indices into `steps`, in the order in which they are to run.
std::vector<std::vector<std::size_t>> job_sets(const std::vector<step>& steps);

/// The waves of the graph in which a step waits for those before it that share
/// a node with it: as few sets as the order allows, and as early as it allows.
std::vector<std::vector<std::size_t>> job_waves(const std::vector<step>& steps);

} // namespace orderly::planning
