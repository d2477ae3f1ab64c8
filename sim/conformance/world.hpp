// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The cluster that a scenario's `given` describes, for the simulator.

#pragma once

#include "messages/job.hpp"
#include "sim/conformance/read.hpp"
#include "sim/world/plan.hpp"

#include <map>
#include <optional>

namespace orderly::sim::conformance {

struct given_world {
  world_plan plan;
  std::map<job_id, job_status> jobs; ///< that exist before
  job_id next_job = 1000;
  std::map<node_name, std::vector<std::string>> node_tags;
  std::vector<node_name> full_nodes; ///< other things take all room there
};

/// Faults name the key: one that is not understood is a fault as well, so
/// that no condition is passed over in silence.
result<given_world> read_world(const json& given);

/// nullopt: there is no such status.
std::optional<job_status> job_status_from(const std::string& text);

} // namespace orderly::sim::conformance
