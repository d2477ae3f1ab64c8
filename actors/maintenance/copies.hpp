// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is asked about the copies of an instance right before a job leaves that
// relies on one of them.

#pragma once

#include "actors/maintenance/event.hpp"

#include <functional>

namespace orderly {

/// It relies on a copy.
bool relies_on_a_copy(const opcode& op);

/// Asks mirrors and the instance's actor. `then` hears what speaks against the
/// job, or an empty text; at once, if it relies on no copy.
void ask_about_copies(event_actor::stateful_pointer<event_state> self,
                      const opcode& op,
                      std::function<void(const std::string&)> then);

} // namespace orderly
