// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A swarm: worlds, settings and faults drawn from seeds. Each run has a phase
// with faults, in which the safety laws are checked after every step, and a
// quiet phase at whose end the liveness laws must hold. A failing run is
// shrunk to a small drill. A new story is plugged in by a function in a file
// of its own and a row in swarm/extra.cpp; it gets dice of its own, so that
// all that was drawn before stays what it was.

#pragma once

#include "sim/lab/drill.hpp"

#include <functional>
#include <optional>

namespace orderly::sim {

struct swarm_options {
  std::uint64_t first_seed = 1;
  std::uint32_t seeds = 20;
  std::uint32_t nodes = 0;     ///< 0: drawn
  std::uint32_t instances = 0; ///< 0: drawn
  millis faults_for = hours{2};
  millis quiet_for = minutes{75};
  bool extra = true; ///< with the stories of swarm/extra.hpp
};

/// What a seed means: a world, settings, and a plan of faults.
struct swarm_run {
  world_plan plan;
  settings rules;
  drill story; ///< its events, and `set` lines equal to `rules`
};

swarm_run draw_run(std::uint64_t seed, const swarm_options& options);

/// Most seeds end when all is settled; some run to their very end, whatever
/// may come after a long calm.
ending usual_end(std::uint64_t seed);

struct swarm_failure {
  std::uint64_t seed = 0;
  broken_law law;
  std::uint64_t step = 0;
  drill shrunk;
  std::uint32_t shrink_runs = 0;
};

/// Plays one seed; nothing if all laws held.
std::optional<swarm_failure> play_seed(std::uint64_t seed,
                                       const swarm_options& options);

/// The failing drill with as few events and triggers as still break the same
/// law. It plays 60 runs at most, and none any more once `go_on` says no.
drill shrink(const drill& failing, const settings& rules,
             const std::string& law, std::uint32_t& runs,
             const std::function<bool()>& go_on = {});

} // namespace orderly::sim
