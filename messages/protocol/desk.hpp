// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What persons want of the power.

#pragma once

#include "messages/errand.hpp"
#include "messages/protocol/cluster_here.hpp"
#include "messages/protocol/picture_news.hpp"
#include "messages/protocol/power_switch.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace orderly {

/// Where persons hand in what they want, and hear how it stands.
using errand_counter = caf::typed_actor<
  /// Answered when its rows are on disk, not when they are worked off; at once
  /// if it is refused or dry, or nothing is to be done. If the disk takes more
  /// than four seconds it is dropped, and refused; but not a switch of host HA.
  caf::replies_to<errand_request>::with<errand_sheet>,
  /// Answered at once. An end that is not on disk yet is not told.
  caf::replies_to<errand_query>::with<errand_sheet>,
  /// Answered when that is on disk, and what runs may run on. Who stops it a
  /// second time waits for the disk, too; what has ended is told as it is.
  caf::replies_to<errand_stop>::with<errand_sheet>,
  /// Answered once the journal was read. An end that is not on disk yet is not
  /// told.
  caf::replies_to<errand_list>::with<errand_list_answer>>;

/// What the rest of the tree tells whoever carries errands out.
using errand_listener = caf::typed_actor<
  /// One that failed changes nothing. Errands from before a restart go on
  /// with the first that was answered, once the journal was read and a lease
  /// was told, held or not.
  caf::reacts_to<picture_news>,
  /// Once, at the start: there holds and power records are told, as soon as
  /// the journal was read.
  caf::reacts_to<cluster_here>,
  /// All of them, whenever one changed; told on to the cluster actor.
  caf::reacts_to<power_wishes>,
  /// Kept for what persons are shown; a hold that seems forgotten is told of.
  caf::reacts_to<node_standing>,
  /// What waits for the right to act goes on at once.
  caf::reacts_to<lease>,
  /// Its alarm: a step, a hold or Ganeti's watcher is due.
  caf::reacts_to<tick>>;

/// What persons want of the power: carries it out row by row and remembers
/// how far it came.
using desk_actor = errand_counter::extend_with<errand_listener>::extend_with<
  job_client>::extend_with<power_witness>;

} // namespace orderly
