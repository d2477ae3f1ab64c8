// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The outside world as a single pass sees it: the real ports, except that
// nodes are not probed, that what is sent is noted, and that in a dry run
// nothing is sent at all.

#pragma once

#include "actors/pass/notebook.hpp"
#include "messages/protocol/ports.hpp"

namespace orderly {

struct pass_world {
  ports outside; ///< for the tree
  notebook_actor sent;
};

/// `real.probes` may be empty.
pass_world spawn_pass_world(caf::actor_system& system, const ports& real,
                            bool dry_run);

/// Ends what was spawned for the pass; the real ports go on.
void end_pass_world(const pass_world& x, bool dry_run);

} // namespace orderly
