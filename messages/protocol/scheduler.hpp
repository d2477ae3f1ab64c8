// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who may act now.

#pragma once

#include "messages/incident.hpp"
#include "messages/permit.hpp"
#include "messages/protocol/permit_client.hpp"
#include "messages/protocol/tick.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace orderly {

/// Where whoever wants to act asks for leave: with a client it waits for it,
/// without it only wants to know.
using permit_office = caf::typed_actor<
  caf::replies_to<permit_request>::with<permit>,
  caf::replies_to<permit_request, permit_client>::with<permit>,
  caf::reacts_to<permit_release>,
  caf::replies_to<ask_risky_acts>::with<risky_acts>>;

/// The same for a node, whose trouble it weighs before any row tells of it.
using warned_office = permit_office::extend<caf::reacts_to<node_standing>>;

/// Rounds, storm guard, budget, pause.
using scheduler_actor
  = permit_office::extend<caf::reacts_to<node_standing>,
                          caf::replies_to<pause_order>::with<pause_answer>,
                          caf::reacts_to<lease>, caf::reacts_to<tick>>;

} // namespace orderly
