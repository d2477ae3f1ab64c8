// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who finds repair events, and what it is told.

#pragma once

#include "messages/protocol/cluster_here.hpp"
#include "messages/protocol/event.hpp"
#include "messages/protocol/picture_news.hpp"

namespace orderly {

/// Where persons have their say about events.
using event_counter = caf::typed_actor<
  /// Passed on to the event's actor. `unknown` at once if there is no such
  /// event; `refused` while events, or it, are read from the journal.
  caf::replies_to<event_order>::with<event_order_answer>>;

/// What the rest of the tree tells whoever finds events.
using event_watcher = caf::typed_actor<
  /// With each one that was answered all events get facts; the first begins
  /// the sweeps.
  caf::reacts_to<picture_news>,
  /// Events get facts if the node came into trouble, was held or closed, or
  /// is so no more.
  caf::reacts_to<node_standing>,
  /// Events get facts only if the right to act came or went.
  caf::reacts_to<lease>,
  /// Once, at the start: only then events are found in the journal.
  caf::reacts_to<cluster_here>,
  /// Its alarm: the next sweep is due. None begins while one is under way.
  caf::reacts_to<tick>>;

/// Asks all nodes for their reports, and keeps one actor an event alive.
using intake_actor
  = event_keeper::extend_with<event_counter>::extend_with<event_watcher>;

} // namespace orderly
