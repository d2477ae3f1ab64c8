// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A journal that forgets with its process: for a single pass, whose state of
// record are the tags.

#pragma once

#include "messages/protocol/ports.hpp"

#include <caf/actor_system.hpp>

namespace orderly {

journal_port spawn_memory_journal(caf::actor_system& system);

} // namespace orderly
