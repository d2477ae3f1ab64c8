// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How much room is left on the journal's disk: told before there is none, since
// a journal that cannot be written stops all work.

#pragma once

#include "actors/shell/context.hpp"
#include "io/daemon/alerts.hpp"
#include "messages/protocol/tick.hpp"

#include <caf/actor_system.hpp>
#include <caf/typed_actor.hpp>

#include <atomic>
#include <memory>

namespace orderly {

using room_actor = caf::typed_actor<caf::reacts_to<tick>>;

/// Bytes that are free, as read last; negative: nobody knows.
using free_room = std::atomic<std::int64_t>;

/// Looks every few seconds, on a thread of its own, for a disk may hang.
room_actor spawn_room_watch(caf::actor_system& system, context_ptr ctx,
                            std::shared_ptr<alerts> to,
                            std::shared_ptr<free_room> into);

} // namespace orderly
