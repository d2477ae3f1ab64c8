// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the machine of a node can be told, in kinds that are counted, and which
// of them cannot reach it in which state.

#pragma once

#include "actors/policy/host_ha/host_ha.hpp"

#include <array>
#include <cstddef>

namespace orderly::sim::walking {

enum class input {
  health_passed,
  health_failed,  ///< nothing answers
  health_refused, ///< something answers, if only to refuse
  health_unknown, ///< nobody could tell
  active,
  inactive,
  activity_unknown,
  activity_refused,
  power_on,
  power_off,
  power_off_commanded,
  power_unknown,
  permit_granted,
  permit_held,
  permit_storm,
  permit_called,
  reset_worked,
  reset_failed,
  reset_overruled, ///< a person wants otherwise
  reset_held,      ///< nothing was sent
  fence_confirmed,
  fence_failed,
  fence_overruled,
  fence_held,
  eligible,
  ineligible,
  offline, ///< not eligible, for a person marked it so
  enabled,
  disabled,
  due, ///< its deadline has passed
  restarted,
  restarted_unsent, ///< ... and the newest order never left
  restarted_away,   ///< ... and nobody watched for long
  returned,
  vouched,
  ordered_on,
  looked,
  proof_expired,
};

constexpr std::size_t inputs = 38;
constexpr std::size_t phases = 10;

const char* to_string(input x);

input kind_of(const host_ha::event& e);

/// Is that the answer to a question of another state, which it has left since?
bool comes_late(ha_phase in, input what);

/// Why a node's actor never tells it that in this state; null: it does.
const char* why_never(ha_phase in, input what);

} // namespace orderly::sim::walking
