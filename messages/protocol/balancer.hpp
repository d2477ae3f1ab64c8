// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Moves instances that are well, and finds places for those that are not.

#pragma once

#include "messages/plan.hpp"
#include "messages/protocol/event.hpp"
#include "messages/protocol/holds.hpp"
#include "messages/protocol/permit_client.hpp"
#include "messages/protocol/picture_news.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <set>

namespace orderly {

/// Where should this instance go? Asked by its actor before a repair moves it.
struct place_question {
  instance_name instance;
  bool leaves_primary = false;
  bool leaves_secondary = false;
};

/// Finds places for instances that have to leave theirs.
using place_finder = caf::typed_actor<
  /// Answered in turn. Who had to wait for longer than
  /// `balance.target_timeout` gets no place, perhaps minutes later. A second
  /// question about an instance frees the place that the first one gave it.
  caf::replies_to<place_question>::with<target_answer>>;

/// Where should all go that is on these nodes? Asked for the events at work.
struct evacuation_wanted {
  std::set<node_name> leaves;
  std::set<node_name> closed; ///< beside those that the balancer knows of
};

/// Finds places for all that is on some nodes at once.
using evacuation_planner = caf::typed_actor<
  /// Answered after the search, and a reading of the model where the last one
  /// is too old, which may take minutes. No place of a plan is kept free.
  caf::replies_to<evacuation_wanted>::with<evacuation_answer>>;

/// What the rest of the tree tells whoever balances.
using balance_listener = caf::typed_actor<
  /// Also of a reading that failed: then what is due is looked at all the
  /// same, by the picture from before.
  caf::reacts_to<picture_news>,
  /// No move goes to or from a node that is held, in trouble or no place.
  caf::reacts_to<node_standing>,
  /// From the cluster actor, and only `leaving` is read: it has also those
  /// whose order has ended and is not in the picture yet.
  caf::reacts_to<holds>,
  /// It looks again only if the right to act came or went.
  caf::reacts_to<lease>,
  /// Nothing moves to or from these nodes until the next list.
  caf::reacts_to<upkeep>,
  /// Its alarm: something of a round is due.
  caf::reacts_to<tick>>;

/// Where persons and programs ask for the figures, and for a plan.
using balance_counter = caf::typed_actor<
  /// Answered at once with the sheet as it is; a plan that is asked for comes
  /// with a later one. Who asks while one is made shares the next one.
  caf::replies_to<balance_query>::with<balance_sheet>>;

/// Moves instances that are well, when nothing more urgent is on: reads the
/// model, has a plan made, and sends the first wave of it.
using balancer_actor = balance_counter::extend_with<place_finder>::extend_with<
  evacuation_planner>::extend_with<balance_listener>::extend_with<job_client>::
  extend_with<permit_client>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::place_question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::evacuation_wanted)
