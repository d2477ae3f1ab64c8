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
/// answered at once with the verdict `not_looked`.
using node_checker
  = caf::typed_actor<caf::replies_to<probe_request>::with<sighting>,
                     caf::replies_to<activity_request>::with<activity_answer>>;

/// The same, and what it is told: the nodes, with each reading, and who hears
/// what others asked.
using collector_actor = node_checker::extend<caf::reacts_to<picture_news>,
                                             caf::reacts_to<node_listener>>;

} // namespace orderly
