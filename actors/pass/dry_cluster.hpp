// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The cluster as it would look after the jobs of a dry run: tags that were
// "written" are there, and jobs that were "sent" are in flight. Without it the
// machines above would find their tags gone and begin again.

#pragma once

#include "actors/pass/notebook.hpp"
#include "messages/protocol/ports.hpp"

namespace orderly {

/// `real` with the effects of `jobs`, in that order.
cluster_record pretend(const cluster_record& real,
                       const std::vector<noted_job>& jobs);

cluster_port spawn_dry_cluster(caf::actor_system& system, cluster_port real,
                               notebook_actor sent);

} // namespace orderly
