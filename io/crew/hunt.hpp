// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Long searches of orderly-sim on all processors: `swarm --hunt` and
// `drill --around`.

#pragma once

#include "sim/swarm/swarm.hpp"

#include <string>
#include <vector>

namespace orderly::io {

struct hunt_wishes {
  double minutes = 0;
  std::string folder = "build/hunt"; ///< of finds and of the state
  unsigned jobs = 0;                 ///< processes; 0: one for each processor
  sim::swarm_options options;        ///< the first seed: only if none is kept
};

/// 0: nothing was found; 1: something was; 2: it could not be done.
int run_hunt(const hunt_wishes& wishes);

struct around_wishes {
  std::vector<std::string> files;
  std::uint64_t count = 0; ///< neighbours of each
  std::string folder;      ///< of finds; empty: they are only printed
  unsigned jobs = 0;
};

/// As above; 2 also for a drill that cannot be read.
int run_around(const around_wishes& wishes);

} // namespace orderly::io
