// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Asks the monitors of nodes for their CPU load, several at once, and waits
// for the answers. The model port calls it on its own thread.

#pragma once

#include "io/htools/formats/luxi_source.hpp"
#include "messages/result.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

namespace orderly::io::model {

struct monitor_rules {
  std::uint16_t port = 1815;
  std::chrono::milliseconds time_limit{}; ///< for all nodes together
  /// A real monitor was silent for ten seconds while another node was dead.
  std::chrono::milliseconds node_limit = std::chrono::seconds{15};
  std::size_t parallel_max = 50;
};

/// Busy CPUs of each of `nodes`, or what its monitor does instead of telling:
/// "does not answer in time".
std::map<node_name, result<double>>
ask_monitors(const std::vector<htools::live_node>& nodes,
             const monitor_rules& rules);

} // namespace orderly::io::model
