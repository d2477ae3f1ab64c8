// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What persons have said of host HA: a provider and a switch for a node, and
// switches above it, for its group and for the cluster. Kept by the desk; what
// it comes to is said in policy/host_ha/switches.

#pragma once

#include "messages/ids.hpp"

#include <map>
#include <optional>
#include <string>

namespace orderly {

/// Of one node.
struct node_switch {
  std::string provider;        ///< empty: none was configured
  std::optional<bool> enabled; ///< unset: nobody said so
  std::string uuid;            ///< another machine of that name is not meant
  std::string who;             ///< said the last word

  friend bool operator==(const node_switch&, const node_switch&) = default;
};

/// Of a group, or of the cluster.
struct upper_switch {
  bool on = true;
  std::string uuid; ///< of the group; empty for the cluster
  std::string who;

  friend bool operator==(const upper_switch&, const upper_switch&) = default;
};

/// All of it. What is not named is on, but for nodes that have to opt in.
struct ha_switches {
  bool opt_in = false; ///< by the settings: only what was enabled is treated
  std::map<node_name, node_switch> nodes;
  std::map<std::string, upper_switch> groups; ///< by their UUIDs
  std::optional<upper_switch> cluster;

  friend bool operator==(const ha_switches&, const ha_switches&) = default;
};

} // namespace orderly
