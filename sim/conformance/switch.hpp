// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Two ports of a stage: a power switch whose helpers answer as the scenario
// says and whose calls are written down, and probes that let nodes come back
// as late as it says. Like all simulated ports they outlive the daemon.

#pragma once

#include "sim/conformance/given.hpp"
#include "sim/ports/ports.hpp"

#include <caf/fwd.hpp>

namespace orderly::sim::conformance {

/// One call of a helper program.
struct helper_call {
  std::string program;
  power_verb verb = power_verb::status;
  node_name node;
  instant began;
  instant ended;     ///< `never`: it goes on
  bool done = false; ///< what the caller was told
  /// Jobs that were in the queue already.
  std::size_t jobs_before = 0;
  std::string word{}; ///< as the helper was told: "power-reset"
};

/// What the two ports share with their stage.
struct switchboard {
  helper_script script;
  helper_files files;
  std::map<node_name, std::optional<std::int64_t>> reachable_after;
  std::map<node_name, std::int64_t> probes; ///< of nodes that have booted
  std::vector<helper_call> calls;           ///< as they began
};

using switchboard_pointer = std::shared_ptr<switchboard>;

power_port spawn_helper_port(caf::actor_system& sys, const lab_pointer& lab,
                             const switchboard_pointer& board);

/// Probes go on to `behind`, which answers for the world.
probe_port spawn_reach_port(caf::actor_system& sys, const lab_pointer& lab,
                            const switchboard_pointer& board,
                            probe_port behind);

} // namespace orderly::sim::conformance
