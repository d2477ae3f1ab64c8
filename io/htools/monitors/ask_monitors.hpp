// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Asks the monitors of nodes for a report, several at once, and waits for the
// answers. The model port calls it on its own thread, --mond in the tool's.

#pragma once

#include "io/htools/formats/luxi_source.hpp"
#include "messages/result.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

namespace orderly::io::htools {

/// What is asked for as a rule: the CPU load of the node.
inline constexpr const char* cpu_load_path = "/1/report/default/cpu-avg-load";

struct monitor_rules {
  std::uint16_t port = 1815;
  std::chrono::milliseconds time_limit{}; ///< for all nodes together
  /// A real monitor was silent for ten seconds while another node was dead.
  std::chrono::milliseconds node_limit = std::chrono::seconds{15};
  std::size_t parallel_max = 50;
  std::string path = cpu_load_path;
  bool by_name = false; ///< addresses may be names, which are looked up
};

/// What the monitor of each of `nodes` sends, or does instead of it: "does not
/// answer in time".
std::map<node_name, result<std::string>>
ask_monitors(const std::vector<live_node>& nodes, const monitor_rules& rules);

} // namespace orderly::io::htools
