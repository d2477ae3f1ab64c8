// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How fast orderly reacts, in virtual time, from the moment something breaks:
// for the bench's figures and for the test of the promises that
// configs/examples/prompt.toml makes.

#pragma once

#include "actors/policy/settings/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orderly::sim {

struct reaction {
  /// From the fault to the first and the last failover job of the first batch
  /// being in the queue.
  std::optional<millis> first_failover;
  std::optional<millis> last_failover;
  std::optional<millis> reset;  ///< to the power-cycle being intended
  std::uint32_t power_acts = 0; ///< commands intended
  std::uint32_t alerts = 0;
  std::uint32_t broken_laws = 0;
};

/// A cluster `world` under `rules`; `faults` happen at once, `heals` later
/// (after `heal_after`, if any). `seed` also moves the moment of the fault
/// within the health checks' interval.
struct reaction_plan {
  std::string world = "made-40-400-2";
  std::vector<std::string> faults;
  std::vector<std::string> heals;
  millis heal_after{};
  millis spread{}; ///< the faults happen evenly within this time
  millis watch = minutes{4};
};

reaction measure_reaction(const reaction_plan& plan, const settings& rules,
                          std::uint64_t seed);

} // namespace orderly::sim
