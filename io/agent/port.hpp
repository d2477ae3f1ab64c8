// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Live probes: health and activity of nodes, as seen from this host over the
// network. Needs nothing on the nodes but what Ganeti runs there anyway.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "io/loop/loop.hpp"
#include "messages/protocol/ports.hpp"

namespace orderly::io::agent {

/// `where` must outlive the actor. An answer comes at the latest `time_limit`
/// after the request; `at` is left empty. Requests beyond a few hundred
/// sockets are answered at once with "not admitted". An exit message ends the
/// port at once.
probe_port spawn_probe_port(caf::actor_system& system, loop& where,
                            const settings& knobs);

} // namespace orderly::io::agent
