// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A step of a walk as a line of JSON.

#pragma once

#include "actors/node/node.hpp"

#include <cstdint>
#include <string>

namespace orderly::sim::walking {

/// `begin`: when the walk began. `life`: how often the daemon was started.
std::string trace_line(const machine_step& step, instant begin,
                       std::uint64_t life);

} // namespace orderly::sim::walking
