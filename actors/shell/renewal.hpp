// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A permit that nobody asks for again is taken back after
// `rounds.permit_max_age`, and a job may run for longer: whose job is under way
// asks again in time.

#pragma once

#include "actors/policy/settings/settings.hpp"

namespace orderly {

/// How old a permit may be before its owner asks again.
inline millis renewal_pause(const settings& rules) {
  return rules.rounds.permit_max_age / 2;
}

/// Is it time to ask for all of them again? Then they were asked for `now`.
inline bool renews_permits(instant& asked, instant now, const settings& rules) {
  if (asked != never && now - asked < renewal_pause(rules))
    return false;
  asked = now;
  return true;
}

} // namespace orderly
