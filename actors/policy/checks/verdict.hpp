// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which checks are made of a node from here, and what their results mean
// taken together. Pure. Used by the probe port.
//
//   check       asks                             weighs
//   daemon      does the node daemon accept?     decides health
//   monitor     GET / gives 200 and [1]?         evidence; decides if alone
//   login       does port 22 answer?             activity only

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/check.hpp"
#include "messages/sighting.hpp"

#include <string>
#include <vector>

namespace orderly::checks {

/// The checks that are switched on (port not 0).
std::vector<check> health_checks(const settings& knobs);
std::vector<check> activity_checks(const settings& knobs);

/// Healthy if the node daemon accepts a connection, whatever the monitor
/// says; without a daemon check the monitor decides. Checks that did not run
/// make it unknown, never unhealthy.
sighting judge_health(const node_name& node, const std::vector<finding>& all);

/// Active if anything at all answered, even by a refusal; inactive if at
/// least one check ran and none was answered; else unknown.
activity_answer judge_activity(const node_name& node,
                               const std::vector<finding>& all);

/// True if `x` alone proves that the node's kernel lives.
bool proves_activity(const finding& x);

/// `2 s`, `1500 ms`.
std::string describe(millis x);

/// All of these, for a port that may not know them.
check_judge judge();

} // namespace orderly::checks
