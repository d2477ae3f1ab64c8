// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A host as whoever looks after its instances is told of it (spec host-ha C.6).

#pragma once

#include "messages/standing.hpp"

#include <optional>
#include <string>

namespace orderly {

struct host_view {
  /// "Up", "Up(Investigating)", "Alert", "Disconnected" or "Down".
  std::string host;
  /// Its instances are to be taken for alive: what would restart them elsewhere
  /// waits, and is not given up.
  bool alive = true;
};

/// nullopt: host HA has no opinion, others decide.
std::optional<host_view> view_of(ha_phase x);

} // namespace orderly
