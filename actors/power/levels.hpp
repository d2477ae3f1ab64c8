// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One order of the oob actor, from its first reading to its report, level by
// level. Used by actors/power/oob alone, which says when an order has its turn.

#pragma once

#include "actors/power/oob.hpp"

namespace orderly::oob_parts {

using self_ptr = oob_actor::stateful_pointer<oob_state>;

/// The node's controller refused our user or password: an alert, if it was not
/// told within a day. In `denials.cpp`.
void tell_denial(self_ptr self, const power_request& asked,
                 const std::string& text);

/// Works the active order of `node`, at its present level; in the end
/// `finish` is called for it.
void work(self_ptr self, const node_name& node);

/// It is time to read its state again.
void look_again(self_ptr self, const node_name& node);

/// Takes the order out of the active ones, tells who gave it, and starts what
/// can start now. Defined beside the queue.
void finish(self_ptr self, const node_name& node, bool confirmed,
            power_state seen);

} // namespace orderly::oob_parts
