// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the record was before it changed: laws ask what somebody could have
// known at an earlier time.

#pragma once

#include "messages/cluster.hpp"

#include <map>
#include <string>
#include <vector>

namespace orderly::sim {

/// Tags as they were before a change.
struct tag_change {
  instant at;
  std::vector<std::string> before;
};

/// What a person wanted of an instance before a change.
struct wish_change {
  instant at;
  admin_state before = admin_state::up;
};

/// From when to when; `never`: it still lasts.
struct stretch_of_time {
  instant from;
  instant to;
};

/// An offline or drained mark as it was before a change.
struct mark_change {
  instant at;
  bool before = false;
};

/// Of each node that had one, oldest first.
using mark_changes = std::map<node_name, std::vector<mark_change>>;

} // namespace orderly::sim
