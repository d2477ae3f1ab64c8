// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who may act now.

#pragma once

#include "messages/permit.hpp"
#include "messages/protocol/permit_client.hpp"
#include "messages/protocol/tick.hpp"
#include "messages/protocol/type_ids.hpp"
#include "messages/standing.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace orderly {

/// Where whoever wants to act asks for leave: with a client it waits for it,
/// without it only wants to know.
using permit_office = caf::typed_actor<
  /// Answered at once, but a new permit to destroy only when its price is on
  /// disk, or half a minute was over. What is granted is held until it is given
  /// back, or taken back after `rounds.permit_max_age`, by either question.
  caf::replies_to<permit_request>::with<permit>,
  /// The same; who is refused is called when it could go. Who does not ask
  /// again soon after `retry_at` is forgotten.
  caf::replies_to<permit_request, permit_client>::with<permit>,
  /// Without a permit it only ends the wait for one.
  caf::reacts_to<permit_release>,
  /// Answered at once. After a restart those are missing that have not asked
  /// again yet, which they do with the first reading.
  caf::replies_to<ask_risky_acts>::with<risky_acts>>;

/// The same for a node, whose trouble it weighs before any row tells of it.
using warned_office = permit_office::extend<
  /// By the node itself when its phase changed, before that is on disk. Trouble
  /// counts from then on: it may begin or end a storm.
  caf::reacts_to<node_standing>>;

/// Where persons hold new acts, and let them go on.
using pause_counter = caf::typed_actor<
  /// Answered in turn, when it is on disk, also if it changes nothing. A pause
  /// holds from its turn on, a resume from the disk on. Refused at once if too
  /// many wait.
  caf::replies_to<pause_order>::with<pause_answer>>;

/// Rounds, storm guard, budget, pause.
using scheduler_actor = warned_office::extend_with<pause_counter>::extend<
  /// A right that comes anew calls who waits; after another master troubles
  /// have to be seen first again.
  caf::reacts_to<lease>,
  /// Each minute, and each few seconds in a storm: what is over is taken back,
  /// and who could go is called.
  caf::reacts_to<tick>>;

} // namespace orderly
