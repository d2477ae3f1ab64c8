// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The power switch, and who is told what persons want of it.

#pragma once

#include "messages/permit.hpp"
#include "messages/power.hpp"
#include "messages/protocol/job_client.hpp"
#include "messages/protocol/node.hpp"
#include "messages/protocol/tick.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace orderly {

/// Is told what persons want of the power as soon as that changed.
using wish_client = caf::typed_actor<caf::reacts_to<power_wishes>>;

/// The power switch: one operation a node at a time, read back. Orders without
/// a witness are readings.
using power_switch = caf::typed_actor<
  caf::replies_to<power_order>::with<power_report>,
  caf::replies_to<power_order, power_witness>::with<power_report>,
  caf::reacts_to<power_withdraw>,
  caf::replies_to<program_question>::with<program_answer>>;

/// What persons want of the power, which outlives every order.
using wish_keeper
  = caf::typed_actor<caf::reacts_to<wish_client>,
                     caf::replies_to<ask_wishes>::with<power_wishes>>;

using oob_actor = power_switch::extend_with<wish_keeper>::extend<
  caf::reacts_to<lease>, caf::reacts_to<tick>, caf::reacts_to<node_listener>>;

} // namespace orderly
