// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How the mirrors of instances are, and who asks.

#pragma once

#include "messages/cluster.hpp"
#include "messages/protocol/node.hpp"
#include "messages/protocol/picture_news.hpp"
#include "messages/protocol/tick.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <map>
#include <set>
#include <vector>

namespace orderly {

/// How the mirror of an instance was when it was asked.
struct mirror_standing {
  /// Faulty in so many readings in a row: no passing thing.
  static constexpr std::uint32_t enough = 2;

  std::vector<disk_fault> fault; ///< empty: none
  /// Readings in a row that said so; 0 while all of it heals by itself.
  std::uint32_t seen = 0;
  instant at;          ///< when it was asked
  instant answered_at; ///< somewhen between the two it was so

  friend bool operator==(const mirror_standing&, const mirror_standing&)
    = default;
};

/// What was just heard: only of those that said something.
struct mirror_news {
  std::map<instance_name, mirror_standing> heard;
};

/// Is told what was heard of mirrors.
using mirror_listener = caf::typed_actor<
  /// After each question that was answered, also where nothing changed.
  caf::reacts_to<mirror_news>>;

/// The newest picture, with each reading of the cluster.
struct mirror_roll {
  cluster_picture picture;           ///< null: nothing was read yet
  std::set<instance_name> attentive; ///< those who wait for news
  bool silent = false; ///< the cluster did not answer its last reading
  picture_change_ptr change = {}; ///< null: nothing changed
};

/// Asks mirrors how they are, some at a time; tells the listener.
using mirrors_actor = caf::typed_actor<
  /// With each reading of the cluster, also one that failed. Nobody is asked
  /// before the first picture, and the newest listener is told.
  caf::reacts_to<mirror_roll, mirror_listener>,
  /// A mirror on a node that is not heard is not asked.
  caf::reacts_to<node_standing>,
  /// Its alarm: the next question is due, after the one under way.
  caf::reacts_to<tick>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::mirror_news)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::mirror_roll)
