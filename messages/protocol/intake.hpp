// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who finds repair events, and what it is told.

#pragma once

#include "messages/protocol/cluster.hpp"
#include "messages/protocol/event.hpp"
#include "messages/protocol/picture_news.hpp"

namespace orderly {

/// Where persons have their say about events.
using event_counter
  = caf::typed_actor<caf::replies_to<event_order>::with<event_order_answer>>;

/// What the rest of the tree tells whoever finds events.
using event_watcher
  = caf::typed_actor<caf::reacts_to<picture_news>,
                     caf::reacts_to<node_standing>, caf::reacts_to<lease>,
                     caf::reacts_to<cluster_here>, caf::reacts_to<tick>>;

/// Asks all nodes for their reports, and keeps one actor an event alive.
using intake_actor
  = event_keeper::extend_with<event_counter>::extend_with<event_watcher>;

} // namespace orderly
