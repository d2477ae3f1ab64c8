// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The console: all that may be read, and all orders of persons, at one place.
// It stands beside the tree and finds its current front for each question, so
// that a core that was raised anew is found again. A part that gives no answer
// keeps nobody waiting who asks for another one.
//
//   asked -> journal in trouble? --an order--> refused
//              | no, or it only reads
//              v
//            root: front --> the part --> its answer, or that there is none

#pragma once

#include "actors/shell/shell.hpp"
#include "actors/tree/tree.hpp"
#include "messages/protocol/console.hpp"

#include <caf/actor_system.hpp>

namespace orderly {

struct console_state {
  static inline const char* name = "console";

  context_ptr ctx;
  root_actor root;
};

console_actor::behavior_type
console(console_actor::stateful_pointer<console_state> self, context_ptr ctx,
        root_actor root);

/// Ends with an exit message.
console_actor spawn_console(caf::actor_system& system, context_ptr ctx,
                            root_actor root);

} // namespace orderly
