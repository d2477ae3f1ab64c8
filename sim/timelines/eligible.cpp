// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/timelines/eligible.hpp"

#include <stdexcept>

namespace orderly::sim::timelines {

namespace {

bool is_on(const json& inputs, const char* key) {
  return inputs.at(key).get<bool>();
}

json all_of(const json& inputs) {
  auto result = usual_inputs();
  for (const auto& [key, value] : inputs.items()) {
    if (!result.contains(key))
      throw std::invalid_argument{"there is no input \"" + key + "\""};
    result[key] = value;
  }
  return result;
}

} // namespace

const json& usual_inputs() {
  static const json all{
    {"enabled", true},
    {"partition_enabled", true},
    {"partition_maintenance", false},
    {"maintenance", false},
    {"host_disabled", false},
    {"hypervisor", "KVM"},
    {"agent_supports", true},
    {"volume_supports", true},
    {"neighbours", 1},
    {"oobm", true},
    {"power", "On"},
    {"power_commanded", false},
    {"healthy", true},
    {"activity", "active"},
    {"recover", "ok"},
    {"fence", "ok"},
    {"t_health", 0},
    {"t_activity", 0},
    {"t_recover", 0},
    {"t_fence", 0},
  };
  return all;
}

// What the seed's maintenance of a partition, and its disabling of a host, say
// is to us a person's doing that automation keeps out of; a power that is not
// known is a controller that cannot be relied upon.
candidate candidate_from(const json& inputs) {
  auto x = all_of(inputs);
  candidate result;
  result.treated = is_on(x, "enabled") && is_on(x, "partition_enabled");
  auto& in = result.in;
  in.node.name = "n1";
  in.node.offline = is_on(x, "maintenance");
  in.provider = host_ha::provider_named("KVMHAProvider");
  in.family = host_ha::family_from(x.at("hypervisor").get<std::string>());
  // One that nobody knows is none that the provider serves.
  if (!in.family)
    in.family = host_ha::family::fake;
  if (is_on(x, "partition_maintenance"))
    in.held = "its partition is worked on";
  if (is_on(x, "host_disabled"))
    in.held = "a person disabled it";
  if (!is_on(x, "agent_supports"))
    in.unwatched = "its agent is too old";
  if (!is_on(x, "volume_supports"))
    in.unwatched = "no volume of it shows it";
  if (is_on(x, "oobm"))
    in.program = "/usr/bin/oob";
  auto power = x.at("power").get<std::string>();
  if (power != "On" && power != "Off" && power != "Unknown")
    throw std::invalid_argument{"there is no power \"" + power + "\""};
  if (power == "Unknown")
    in.unprotected = "its controller does not tell its power";
  in.recorded_on = power == "On" || !is_on(x, "power_commanded");
  in.neighbours = x.at("neighbours").get<std::uint32_t>();
  return result;
}

} // namespace orderly::sim::timelines
