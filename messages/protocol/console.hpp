// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where persons and programs outside are answered, whatever way they came.

#pragma once

#include "messages/protocol/console_wire.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace orderly {

/// All that may be read.
using console_reader
  = caf::typed_actor<caf::replies_to<console_ask<console_look>>::with<
                       console_reply<console_scene>>,
                     caf::replies_to<console_ask<errand_list>>::with<
                       console_reply<errand_list_answer>>,
                     caf::replies_to<console_ask<balance_query>>::with<
                       console_reply<balance_sheet>>>;

/// Orders of persons, and questions about them.
using console_taker = caf::typed_actor<
  caf::replies_to<console_ask<pause_order>>::with<console_reply<pause_answer>>,
  caf::replies_to<console_ask<repair_request>>::with<
    console_reply<repair_answer>>,
  caf::replies_to<console_ask<console_errand>>::with<
    console_reply<errand_sheet>>,
  caf::replies_to<console_ask<event_order>>::with<
    console_reply<event_order_answer>>>;

/// Both. Believes whoever asks who it is: a door has to let nobody else in, and
/// says who it was.
using console_actor = console_reader::extend_with<console_taker>;

} // namespace orderly
