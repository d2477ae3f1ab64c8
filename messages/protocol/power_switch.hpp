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
using wish_client = caf::typed_actor<
  /// All of them. A new one comes after its row is on disk, before the command.
  caf::reacts_to<power_wishes>>;

/// The power switch: one operation a node at a time, read back. Orders without
/// a witness are readings.
using power_switch = caf::typed_actor<
  /// A reading waits for its turn behind acts, which may take minutes. Refused
  /// at once: no helper is named, or too many wait.
  caf::replies_to<power_order>::with<power_report>,
  /// Answered when it is proved or every level has failed: that may take many
  /// minutes. Silence past `power_patience`: it may have been commanded.
  caf::replies_to<power_order, power_witness>::with<power_report>,
  /// Answered by the report of the order itself; nothing happens if there is no
  /// such order, or its intent is empty.
  caf::reacts_to<power_withdraw>,
  /// Answered at once, or that the port was silent.
  caf::replies_to<program_question>::with<program_answer>>;

/// What persons want of the power, which outlives every order.
using wish_keeper = caf::typed_actor<
  /// Whom to tell; a second one takes the place of the first.
  caf::reacts_to<wish_client>,
  /// Answered at once; before the journal was read it waits for that.
  caf::replies_to<ask_wishes>::with<power_wishes>>;

using oob_actor = power_switch::extend_with<wish_keeper>::extend<
  /// Without one that holds no command leaves; readings do.
  caf::reacts_to<lease>,
  /// A node is to be read again; the generation says which.
  caf::reacts_to<tick>,
  /// Once, at the start: is told of each status that was known and not read for
  /// the node's own actor.
  caf::reacts_to<node_listener>>;

} // namespace orderly
