// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a swarm draws around auto-repair: tags of every sort, jobs that fail or
// get lost, drained and full nodes, faulty mirrors. Used by swarm.cpp.

#pragma once

#include "sim/world/dice.hpp"
#include "sim/world/plan.hpp"

#include <string>
#include <utility>
#include <vector>

namespace orderly::sim {

/// What can go wrong in a run, and how it is made good again.
struct mishap {
  std::string fault;
  std::string repair;  ///< a fault that takes it back; empty: nothing does
  node_name dead = {}; ///< somebody comes and repairs it, in several steps
};

template <class T>
const T& pick(dice& d, const std::vector<T>& from) {
  return from[d.below(from.size())];
}

/// Tags that people have put on objects before the run begins, as faults.
std::vector<std::string> draw_first_tags(dice& d, const world_plan& plan,
                                         instant start);

/// Something that concerns repairs and happens at `now`.
std::vector<mishap> draw_repair_mishap(dice& d, const world_plan& plan,
                                       instant now);

/// Settings of auto-repair that differ from the defaults: key and value.
std::vector<std::pair<std::string, std::string>> draw_repair_rules(dice& d);

} // namespace orderly::sim
