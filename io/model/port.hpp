// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The live model port: the cluster in a planner's numbers, from luxid and the
// nodes' monitors. It waits for them on a thread of its own.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/protocol/ports.hpp"

#include <caf/fwd.hpp>

namespace orderly::io::model {

/// Reads the cluster once, as `what` asks, and waits for the answers.
model_answer read_now(const read_model& what, const settings& rules);

/// Detached. Questions are answered one after the other.
model_port spawn_model_port(caf::actor_system& system, const settings& rules);

} // namespace orderly::io::model
