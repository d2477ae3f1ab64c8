// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The live ports to Ganeti: the picture of the cluster and its job queue,
// both over the LUXI socket of luxid on the master node. Spawned by the
// daemon's main program.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/protocol/ports.hpp"

#include <caf/fwd.hpp>

#include <functional>
#include <string>

namespace orderly::io {

class loop;

/// The name of the node that we run on, if we run on one.
std::string own_node(const settings& s);

struct ganeti_ports {
  cluster_port cluster;
  job_port jobs;
};

/// Spawns both. The loop must outlive them; neither keeps the other alive
/// after it was told to exit.
///
/// The answer to `job_submission` is `refused` only if luxid itself said no;
/// a luxid that cannot be reached gives `unknown`, so that the queue is
/// searched and the jobs are sent again however long that takes.
///
/// `tell` hears when the cluster cannot be read, and when it can again, on any
/// thread. `poll_timeout` is asked, on any thread, by each question about jobs
/// that brings no limit of its own, for a reload may change it; null: it is as
/// in `s`.
ganeti_ports
spawn_ganeti_ports(caf::actor_system& system, loop& on, const settings& s,
                   std::function<void(const std::string&)> tell = nullptr,
                   std::function<millis()> poll_timeout = nullptr);

} // namespace orderly::io
