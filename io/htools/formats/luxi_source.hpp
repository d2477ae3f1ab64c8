// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Asks a running Ganeti for its cluster over LUXI, once, and waits for the
// answers: what the tools need of it, and nothing that changes anything.

#pragma once

#include "actors/planning/model/cluster.hpp"
#include "messages/result.hpp"

#include <chrono>
#include <vector>

namespace orderly::io::htools {

/// Where Ganeti's query daemon listens as a rule.
inline constexpr const char* usual_luxi_socket
  = "/var/run/ganeti/socket/ganeti-query";

/// The cluster behind `socket`, or behind the usual one if that is empty. Each
/// question waits at most `patience`.
result<planning::cluster>
read_luxi(const std::string& socket, std::int64_t kvm_node_memory,
          std::chrono::seconds patience = std::chrono::seconds{60});

/// A node that gave its figures, and where it is asked for more.
struct live_node {
  node_name name;
  std::string address;
};

/// A cluster as it is, with its silent nodes.
struct luxi_reading {
  planning::cluster model;
  std::vector<live_node> live; ///< drained ones, too
  /// Nodes in service that gave no figures: in the model they are offline.
  std::vector<node_name> silent;
};

/// As above, but no node's silence spoils it, and `time_limit` is for all
/// questions together.
result<luxi_reading> read_luxi_live(const std::string& socket,
                                    std::int64_t kvm_node_memory,
                                    std::chrono::milliseconds time_limit);

} // namespace orderly::io::htools
