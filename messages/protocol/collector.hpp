// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Looks at nodes.

#pragma once

#include "messages/protocol/node.hpp"
#include "messages/protocol/picture_news.hpp"
#include "messages/protocol/type_ids.hpp"
#include "messages/sighting.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace orderly {

/// Runs checks with bounded concurrency. A check that was not admitted is
/// answered with the verdict `not_looked`: at once, or when a more urgent one
/// takes its place. So is one whose port says nothing in time.
using node_checker = caf::typed_actor<
  /// A health check waits for its turn: who was checked longest ago goes first.
  /// A last look goes before them all, and unless it is sworn up to two other
  /// nodes are asked beside it: if they are silent too, nobody has looked.
  caf::replies_to<probe_request>::with<sighting>,
  /// Waits for its turn, in a line of its own.
  caf::replies_to<activity_request>::with<activity_answer>>;

/// The same, and what it is told: the nodes, with each reading, and who hears
/// what others asked.
using collector_actor = node_checker::extend<
  /// The records by which it chooses whom to ask beside a node.
  caf::reacts_to<picture_news>,
  /// Once, at the start: is told of each node that answered a last look which
  /// its own actor did not ask for. A second one takes the place of the first.
  caf::reacts_to<node_listener>>;

} // namespace orderly
