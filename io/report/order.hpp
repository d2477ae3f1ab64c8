// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// An order for the repair command of a node, as it goes to its agent and is
// kept there until the job comes that runs it:
//
//   {"msg": TEXT, "hmac-sha256": HEX}
//
// and TEXT is {"node", "intent", "event", "command", "object", "time_ms"}. The
// code is with the cluster's key, so that nobody else has a command run. Pure.

#pragma once

#include "messages/result.hpp"
#include "messages/time.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace orderly::io::report {

struct repair_order {
  std::string node_uuid;
  std::string intent;
  std::string event;   ///< its UUID
  std::string command; ///< a bare file name
  std::string object;  ///< JSON, what the command reads
  instant time = never;

  friend bool operator==(const repair_order&, const repair_order&) = default;
};

/// No order is longer.
inline constexpr std::size_t order_max = 256 * 1024;

/// What is kept of it, without a code.
std::string order_text(const repair_order& what);
result<repair_order> read_order_text(std::string_view text);

std::string seal_order(const repair_order& what, std::string_view cluster_key);

/// The order, if it is for that node, signed with one of these keys and no
/// further off than clocks may be.
result<repair_order> open_order(std::string_view envelope,
                                const std::vector<std::string>& keys,
                                const std::string& node_uuid, instant now);

} // namespace orderly::io::report
