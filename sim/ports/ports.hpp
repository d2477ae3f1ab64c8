// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The outside world of the simulation: typed actors of the port types over a
// lab state. They outlive the daemon above: kill its tree, start another one
// on the same ports. Whoever has to wait sends a wake to itself and delivers
// its promise in its own handler.

#pragma once

#include "messages/check.hpp"
#include "messages/protocol/ports.hpp"
#include "sim/state/lab_state.hpp"

#include <caf/fwd.hpp>

#include <memory>

namespace orderly::sim {

using lab_pointer = std::shared_ptr<lab_state>;

/// Spawns one actor a port. They hold `lab`. Planners are no part of the
/// world: whoever wants them adds them. `judge` says what checks of a node
/// mean.
ports spawn_sim_ports(caf::actor_system& sys, const lab_pointer& lab,
                      const checks::check_judge& judge);

cluster_port spawn_cluster_port(caf::actor_system& sys, const lab_pointer& lab);
job_port spawn_job_port(caf::actor_system& sys, const lab_pointer& lab);
power_port spawn_power_port(caf::actor_system& sys, const lab_pointer& lab);
probe_port spawn_probe_port(caf::actor_system& sys, const lab_pointer& lab,
                            const checks::check_judge& judge);
journal_port spawn_journal_port(caf::actor_system& sys, const lab_pointer& lab);
agent_port spawn_agent_port(caf::actor_system& sys, const lab_pointer& lab);
model_port spawn_model_port(caf::actor_system& sys, const lab_pointer& lab);

/// Ends all that there are: before the actor system goes down.
void stop_ports(const ports& x);

} // namespace orderly::sim
