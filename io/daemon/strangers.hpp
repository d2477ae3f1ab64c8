// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Tells of settings for nodes and groups that the cluster does not have, once
// it was read, after a reload, and when one is renamed or leaves.

#pragma once

#include "actors/shell/context.hpp"
#include "io/daemon/alerts.hpp"
#include "messages/protocol/console.hpp"
#include "messages/protocol/tick.hpp"

#include <caf/actor_system.hpp>
#include <caf/typed_actor.hpp>

#include <memory>

namespace orderly {

using stranger_actor = caf::typed_actor<caf::reacts_to<tick>>;

/// Looks every few seconds where there are such settings at all.
stranger_actor spawn_stranger_watch(caf::actor_system& system, context_ptr ctx,
                                    console_actor console,
                                    std::shared_ptr<alerts> to);

} // namespace orderly
