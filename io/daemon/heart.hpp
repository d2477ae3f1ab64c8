// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The heart: feeds systemd's watchdog as long as the actors answer, keeps the
// status line, and logs every decision once it is in the journal. It asks
// through root and view like anybody else, so that a hung tree is noticed, but
// in a lane of its own, so that no crowd of readers is taken for one.

#pragma once

#include "actors/tree/tree.hpp"

#include <caf/typed_actor.hpp>

#include <functional>

namespace orderly {

using heart_actor = caf::typed_actor<caf::reacts_to<tick>>;

/// `ended` is called (from an actor's thread) if the tree dies by itself, or
/// one of its ports, which nobody raises again: a daemon that lives on without
/// one looks well and does nothing.
heart_actor spawn_heart(caf::actor_system& system, root_actor root,
                        const ports& outside,
                        std::function<void(const std::string&)> ended);

} // namespace orderly
