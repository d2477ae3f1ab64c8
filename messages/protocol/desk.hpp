// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What persons want of the power.

#pragma once

#include "messages/errand.hpp"
#include "messages/protocol/cluster.hpp"
#include "messages/protocol/picture_news.hpp"
#include "messages/protocol/power_switch.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace orderly {

/// Where persons hand in what they want, and hear how it stands.
using errand_counter
  = caf::typed_actor<caf::replies_to<errand_request>::with<errand_sheet>,
                     caf::replies_to<errand_query>::with<errand_sheet>,
                     caf::replies_to<errand_stop>::with<errand_sheet>,
                     caf::replies_to<errand_list>::with<errand_list_answer>>;

/// What the rest of the tree tells whoever carries errands out.
using errand_listener
  = caf::typed_actor<caf::reacts_to<picture_news>, caf::reacts_to<cluster_here>,
                     caf::reacts_to<power_wishes>,
                     caf::reacts_to<node_standing>, caf::reacts_to<lease>,
                     caf::reacts_to<tick>>;

/// What persons want of the power: carries it out row by row and remembers
/// how far it came.
using desk_actor = errand_counter::extend_with<errand_listener>::extend_with<
  job_client>::extend_with<power_witness>;

} // namespace orderly
