// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is told of every reading of the cluster.

#pragma once

#include "messages/cluster.hpp"
#include "messages/protocol/leader.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace orderly {

/// What of the instances a reading changed. Who had not `before` as its picture
/// compares for itself.
struct picture_change {
  cluster_picture before;          ///< null: nothing was read before
  std::vector<instance_name> gone; ///< sorted
  /// Places in the new picture of those that came or differ, ascending.
  std::vector<std::size_t> other;
};

using picture_change_ptr = std::shared_ptr<const picture_change>;

/// Drops what is kept, in a map or set by name, of what is not in the picture
/// any more. Both are sorted by name: they are walked side by side.
template <class Kept, class Record>
void forget_others(Kept& kept, const std::vector<Record>& all) {
  auto there = all.begin();
  for (auto i = kept.begin(); i != kept.end();) {
    const std::string* name = nullptr;
    if constexpr (requires { i->first; })
      name = &i->first;
    else
      name = &*i;
    auto order = -1;
    while (there != all.end() && (order = there->name.compare(*name)) < 0)
      ++there;
    i = order == 0 ? std::next(i) : kept.erase(i);
  }
}

/// Everything that the view is told.
struct picture_news {
  /// If the reading failed the one before; null: none was read yet. The same
  /// pointer if nothing changed.
  cluster_picture picture;
  poll_report poll;
  std::uint32_t removals = 0;     ///< of expired tags, that are under way
  picture_change_ptr change = {}; ///< null: nothing changed
};

/// Is told of every reading of the cluster.
using picture_client = caf::typed_actor<
  /// Also of one that failed: see `poll`.
  caf::reacts_to<picture_news>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::picture_news)
