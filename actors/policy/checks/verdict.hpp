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
#include "messages/sighting.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace orderly::checks {

enum class check_kind { daemon, monitor, login };

/// One question to a node.
struct check {
  check_kind kind = check_kind::daemon;
  std::uint16_t port = 0;
  bool http = false; ///< ask a monitor, not only connect
};

enum class reply {
  good,    ///< as it should be
  bad,     ///< it answers, but not as it should
  refused, ///< its kernel answers: nobody listens there
  silent,  ///< nothing came back from there in time
  untried, ///< the check did not run, for a reason on our side
};

/// How one check ended. `text` starts with the port: "1811 refused".
struct finding {
  check_kind kind = check_kind::daemon;
  reply got = reply::untried;
  std::string text;
};

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

} // namespace orderly::checks
