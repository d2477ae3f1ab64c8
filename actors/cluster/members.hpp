// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How the members of a cluster come to life: under the members' supervisor,
// which restarts them, and each time their new handle comes back to us.

#pragma once

#include "actors/cluster/facts.hpp"

namespace orderly {

void start_node(cluster_self self, const node_name& name);

/// Its actor lives for it alone: another one under its name gets its own.
void start_instance(cluster_self self, const instance_record& x);

/// Without a name: the cluster as a whole.
void start_group(cluster_self self, const group_name& name);

} // namespace orderly
