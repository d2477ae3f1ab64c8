// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a timeline says, read: whoever plays one goes by this.

#pragma once

#include "messages/standing.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace orderly::sim::timelines {

using nlohmann::json;

/// A setting of the scenario in seconds, or a count; the defaults are the
/// seed's.
using numbers = std::map<std::string, std::int64_t>;

struct plan {
  numbers settings;
  double ratio = 0.7;
  std::optional<double> guard_ratio; ///< rule R20
  bool power_off_fast_path = true;   ///< rule R9
};

/// What happens before all else in one second.
struct script_step {
  int at = 0;
  std::size_t host = 0; ///< counted from 1; 0: all of them
  json set = json::object();
  bool restart = false;
  bool handoff = false; ///< another daemon takes over
};

/// In which state a host is in second 0, and since when.
struct beginning {
  ha_phase phase = ha_phase::available;
  int since = 0; ///< the second in which it was entered, often before 0
  std::uint32_t checks = 0;
  std::uint32_t failures = 0;
  std::uint32_t errors = 0;
  std::uint32_t recoveries = 0;
};

struct timeline {
  std::size_t hosts = 1;
  plan how;
  beginning given;
  json inputs = json::object();
  std::vector<script_step> script; ///< in the order of the timeline
  int until = 0;                   ///< the last second
};

/// Throws std::invalid_argument or json::exception if it makes no sense. What
/// inputs there are is not looked at.
timeline timeline_of(const json& scenario);

/// `Suspect`: as scenarios write it.
const char* spelled(ha_phase x);

/// Throws std::invalid_argument if it is none.
ha_phase phase_from(const std::string& text);

} // namespace orderly::sim::timelines
