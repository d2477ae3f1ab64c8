// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a swarm draws around balancing: it is on in a part of the runs, and
// persons move instances beside it. Used by swarm.cpp. All of it comes from
// dice of its own, so that other runs stay what they were.

#pragma once

#include "sim/swarm/extra.hpp"

namespace orderly::sim {

/// Empty where balancing stays off.
story_part draw_balance(std::uint64_t seed, const world_plan& plan,
                        millis faults_for);

} // namespace orderly::sim
