// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a swarm draws around balancing: it is on in a part of the runs, and
// persons move instances beside it. Used by swarm.cpp. All of it comes from
// dice of its own, so that other runs stay what they were.

#pragma once

#include "sim/world/plan.hpp"

#include <string>
#include <utility>
#include <vector>

namespace orderly::sim {

struct balance_story {
  std::vector<std::pair<std::string, std::string>> sets; ///< key and value
  std::vector<std::pair<millis, std::string>> events;
};

/// Empty where balancing stays off.
balance_story draw_balance(std::uint64_t seed, const world_plan& plan,
                           millis faults_for);

} // namespace orderly::sim
