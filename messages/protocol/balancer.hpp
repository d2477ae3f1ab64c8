// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Moves instances that are well, and finds places for those that are not.

#pragma once

#include "messages/plan.hpp"
#include "messages/protocol/cluster.hpp"
#include "messages/protocol/event.hpp"
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
using place_finder
  = caf::typed_actor<caf::replies_to<place_question>::with<target_answer>>;

/// Where should all go that is on these nodes? Asked for the events at work.
struct evacuation_wanted {
  std::set<node_name> leaves;
  std::set<node_name> closed; ///< beside those that the balancer knows of
};

/// Finds places for all that is on some nodes at once.
using evacuation_planner = caf::typed_actor<
  caf::replies_to<evacuation_wanted>::with<evacuation_answer>>;

/// What the rest of the tree tells whoever balances.
using balance_listener
  = caf::typed_actor<caf::reacts_to<picture_news>,
                     caf::reacts_to<node_standing>, caf::reacts_to<holds>,
                     caf::reacts_to<lease>, caf::reacts_to<upkeep>,
                     caf::reacts_to<tick>>;

/// Moves instances that are well, when nothing more urgent is on: reads the
/// model, has a plan made, and sends the first level of it.
using balancer_actor
  = caf::typed_actor<caf::replies_to<balance_query>::with<balance_sheet>>::
    extend_with<place_finder>::extend_with<evacuation_planner>::extend_with<
      balance_listener>::extend_with<job_client>::extend_with<permit_client>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::place_question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::evacuation_wanted)
