// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The planner: shell of actors/planning. Answers each question from what comes
// with it and keeps nothing. Programs decide on which thread it thinks: live
// on one of its own, simulated in turn with all others, where no time passes
// meanwhile and only the effort bounds a search.

#pragma once

#include "messages/protocol/ports.hpp"

#include <caf/typed_event_based_actor.hpp>

namespace orderly {

/// Programs spawn it; it has no state and needs no clock but for deadlines.
planner_port::behavior_type planner(planner_port::pointer self);

/// The same for simulation, where no time passes while it thinks: asked the
/// same twice it answers from memory. A cluster at rest is asked about again
/// and again.
planner_port::behavior_type remembering_planner(planner_port::pointer self);

} // namespace orderly
