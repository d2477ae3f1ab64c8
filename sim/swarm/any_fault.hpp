// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One fault of each sort that the simulator knows, with whatever makes it
// good again: for hunts and neighbours of drills, which put it into stories
// that were told without it.

#pragma once

#include "sim/faults/coverage.hpp"
#include "sim/swarm/repair.hpp"

#include <optional>

namespace orderly::sim {

/// A fault of this sort; `object` is the node or instance that it should be
/// about, empty: any. nullopt: nobody has said how it is made good again. Who
/// adds a verb adds its row in any_fault.cpp.
std::optional<mishap> draw_fault(dice& d, const world_plan& plan,
                                 const fault_sort& sort,
                                 const std::string& object = {});

} // namespace orderly::sim
