// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Gives memory back to the system that a flood has left with the allocator.
// Each thread has a store of its own there, and what is free in the middle of
// one stays for good otherwise.

#pragma once

#include "messages/protocol/tick.hpp"

#include <caf/actor_system.hpp>
#include <caf/typed_actor.hpp>

namespace orderly {

using memory_actor = caf::typed_actor<caf::reacts_to<tick>>;

/// On a thread of its own, until it is told to end.
memory_actor spawn_memory_watch(caf::actor_system& system);

} // namespace orderly
