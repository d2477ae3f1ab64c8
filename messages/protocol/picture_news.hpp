// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is told of every reading of the cluster.

#pragma once

#include "messages/cluster.hpp"
#include "messages/protocol/leader.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace orderly {

/// Everything that the view is told.
struct picture_news {
  /// If the reading failed the one before; null: none was read yet. The same
  /// pointer if nothing changed.
  cluster_picture picture;
  poll_report poll;
  std::uint32_t removals = 0; ///< of expired tags, that are under way
};

/// Is told of every reading of the cluster.
using picture_client = caf::typed_actor<
  /// Also of one that failed: see `poll`.
  caf::reacts_to<picture_news>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::picture_news)
