// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What `given` says of power control, beside the cluster itself: whose helper
// is which, what is recorded, how helpers answer, which jobs fail and which
// nodes are slow to come back.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "sim/conformance/helper.hpp"
#include "sim/conformance/world.hpp"

#include <vector>

namespace orderly::sim::conformance {

struct power_given {
  given_world world; ///< programs and records are in its plan
  settings rules;    ///< all automation is off unless `given` says otherwise
  json helper = json::object();
  std::map<std::string, file_kind> files; ///< empty path: all programs
  /// `OP_INSTANCE_SHUTDOWN:i2`; without a name it is every such job.
  std::vector<std::string> job_fail;
  /// A node answers at this probe after it has booted; nullopt: never.
  std::map<node_name, std::optional<std::int64_t>> reachable_after;
  bool watcher = false; ///< the cluster's own watcher runs
  /// What machines are, where it is not what is recorded.
  std::map<node_name, bool> is_on;
};

/// The effective program of a node is its own, else its group's, else the
/// cluster's; what is set to nothing is set.
result<power_given> read_power_given(const json& given);

} // namespace orderly::sim::conformance
