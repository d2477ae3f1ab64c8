// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The rounds that the reference's hroller answers, in its order: the classes of
// a colouring, each divided where the others have no room for what must leave.
// It does not look whether the mirrors of running instances have memory for
// them, and moves instances that cannot be moved; fast_roll.hpp does better.

#pragma once

#include "actors/planning/roll/colouring.hpp"
#include "actors/planning/roll/roll.hpp"
#include "messages/result.hpp"

namespace orderly::planning {

/// `wanted` says which nodes are restarted. The fault is in the reference's
/// words.
result<std::vector<reboot_round>> exact_roll(const cluster& c,
                                             const std::vector<bool>& wanted,
                                             const colouring& colours,
                                             roll_rules rules);

} // namespace orderly::planning
