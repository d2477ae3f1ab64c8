// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the actors of a daemon look at and act on, answering as the inputs of
// each host say.

#pragma once

#include "actors/shell/context.hpp"
#include "messages/protocol/cluster.hpp"
#include "messages/protocol/job_submitter.hpp"
#include "messages/protocol/ports.hpp"
#include "sim/enacted/playground.hpp"

#include <caf/actor_system.hpp>

#include <map>
#include <memory>

namespace orderly::sim::enacted {

/// A daemon in the eyes of its ports.
struct post {
  playground_ptr all;
  context_ptr ctx;
  bool on_duty = true; ///< false: another one has taken over
  std::map<node_name, node_actor> nodes;
};

using post_ptr = std::shared_ptr<post>;

/// Beside the hosts there is one machine that is always well.
inline constexpr const char* witness = "witness";

probe_port spawn_probes(caf::actor_system& sys, post_ptr where);
power_port spawn_power(caf::actor_system& sys, post_ptr where);

/// Of jobs there is only the one that marks a node offline, and it works.
job_submitter_actor spawn_jobs(caf::actor_system& sys, post_ptr where);

/// Who asks for attention gets its record anew.
picture_source spawn_source(caf::actor_system& sys, post_ptr where);

/// Sees what proofs are published.
standing_client spawn_readers(caf::actor_system& sys, post_ptr where);

} // namespace orderly::sim::enacted
