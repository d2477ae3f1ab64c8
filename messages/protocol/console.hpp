// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where persons and programs outside are answered, whatever way they came.

#pragma once

#include "messages/protocol/console_wire.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace orderly {

/// All that may be read. Each is answered within ten seconds: a part that says
/// nothing for five is named as the trouble, and may be asked again.
using console_reader = caf::typed_actor<
  /// From the view; a scene may be a second old.
  caf::replies_to<console_ask<console_look>>::with<
    console_reply<console_scene>>,
  /// From the desk: without rows.
  caf::replies_to<console_ask<errand_list>>::with<
    console_reply<errand_list_answer>>,
  /// From the balancer: a plan that is asked for is not in this answer.
  caf::replies_to<console_ask<balance_query>>::with<
    console_reply<balance_sheet>>>;

/// Orders of persons, and questions about them. While the journal cannot be
/// written an order is refused at once, and nothing was done. One that its part
/// does not answer in time may or may not be done: look before asking again.
using console_taker = caf::typed_actor<
  /// To the scheduler: in force, and on disk, once it is answered as done.
  caf::replies_to<console_ask<pause_order>>::with<console_reply<pause_answer>>,
  /// To the instance's actor, which has eight seconds: the job with the pending
  /// tag has to get into the queue.
  caf::replies_to<console_ask<repair_request>>::with<
    console_reply<repair_answer>>,
  /// To the desk: how the errand stands by then. No end is waited for.
  caf::replies_to<console_ask<console_errand>>::with<
    console_reply<errand_sheet>>,
  /// To the event's actor, by way of the intake.
  caf::replies_to<console_ask<event_order>>::with<
    console_reply<event_order_answer>>>;

/// Both. Believes whoever asks who it is: a door has to let nobody else in, and
/// says who it was.
using console_actor = console_reader::extend_with<console_taker>;

} // namespace orderly
