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
  bool is_master = false;
  node_name master;
  std::string text;
  instant at;
  instant asked_at; ///< when the reading began
};

/// The right to act.
using leader_actor
  = caf::typed_actor<caf::reacts_to<poll_report>, caf::reacts_to<tick>>;

/// Is told of the right to act as soon as that changed, and with each reading.
using lease_client = caf::typed_actor<caf::reacts_to<lease>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::poll_report)
