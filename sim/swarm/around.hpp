// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What lies around a drill: the same story with its faults a little or much
// earlier or later, in another order, or with one fault more. A neighbour has
// no transcript that could be expected; the safety laws judge it. Liveness
// laws do not: nobody gives it a quiet end.

#pragma once

#include "sim/swarm/swarm.hpp"

namespace orderly::sim {

/// The neighbour with this number; a drill and a number always give the same.
drill neighbour(const drill& home, std::uint64_t number);

/// Nothing if the safety laws held.
std::optional<swarm_failure>
play_neighbour(const drill& home, const settings& rules, std::uint64_t number);

} // namespace orderly::sim
