// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a swarm draws around repair events: in a part of the runs orderly acts
// on what nodes report, and some ask to be emptied or repaired, fall silent in
// the middle, or take it back. Used by swarm.cpp; has dice of its own.

#pragma once

#include "sim/swarm/extra.hpp"

namespace orderly::sim {

/// Empty where nothing is reported.
story_part draw_reports(std::uint64_t seed, const world_plan& plan,
                        millis faults_for);

} // namespace orderly::sim
