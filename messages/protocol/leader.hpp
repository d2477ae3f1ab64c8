// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The right to act, and what it is judged by.

#pragma once

#include "messages/permit.hpp"
#include "messages/protocol/tick.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <string>

namespace orderly {

/// How the reading of the cluster went.
struct poll_report {
  bool answered = false;
  bool is_master = false; ///< this host
  node_name master;       ///< empty if it was not answered
  std::string text;       ///< why not
  instant at;             ///< when it ended
  instant asked_at;       ///< when the reading began
};

/// The right to act.
using leader_actor = caf::typed_actor<
  /// With each reading. One that failed takes no right away, for a lease runs
  /// out by itself; one that took longer than a lease is long gives none.
  caf::reacts_to<poll_report>,
  /// The lease runs out, or the cluster is silent for so long that a person
  /// is to hear of it.
  caf::reacts_to<tick>>;

/// Is told of the right to act as soon as that changed, and with each reading
/// that was answered.
using lease_client = caf::typed_actor<
  /// Good until its `until` and no longer, whether or not more is heard.
  caf::reacts_to<lease>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::poll_report)
