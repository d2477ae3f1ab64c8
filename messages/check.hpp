// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The checks that are made of a node from here, how each of them ended, and who
// says what they mean taken together.

#pragma once

#include "messages/sighting.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace orderly {

struct settings;

namespace checks {

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

/// What a port needs to know of the checks. The live port and the simulated one
/// are given the same, so that neither says more of a node than the other
/// could; whoever wires them hands it over.
struct check_judge {
  std::vector<check> (*health_checks)(const settings&);
  std::vector<check> (*activity_checks)(const settings&);
  sighting (*judge_health)(const node_name&, const std::vector<finding>&);
  activity_answer (*judge_activity)(const node_name&,
                                    const std::vector<finding>&);
  bool (*proves_activity)(const finding&);
  std::string (*describe)(millis);
};

} // namespace checks

} // namespace orderly
