// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// State of the world as seen: one source's claim about one node at one
// instant. Three values everywhere: "unknown" is never "bad" and never "off".

#pragma once

#include "messages/ids.hpp"
#include "messages/time.hpp"

#include <string>
#include <vector>

namespace orderly {

enum class health {
  healthy,
  unhealthy,
  unknown, ///< the check itself did not run
};

inline const char* to_string(health x) {
  return x == health::healthy     ? "healthy"
         : x == health::unhealthy ? "unhealthy"
                                  : "unknown";
}

/// Asks for one health check of `node`.
struct probe_request {
  node_name node;
  std::string address;
  millis time_limit{};
};

/// The answer. `evidence` is a short sentence such as "1811 refused".
struct sighting {
  node_name node;
  health verdict = health::unknown;
  std::string evidence;
  instant at;
};

enum class activity {
  active,   ///< something on that node still serves
  inactive, ///< looked, and nothing moves
  unknown,  ///< could not look
};

inline const char* to_string(activity x) {
  return x == activity::active     ? "active"
         : x == activity::inactive ? "inactive"
                                   : "unknown";
}

/// Asks whether `node`, which fails its health checks, still does something
/// since `since`. `neighbours` may be asked in its stead, in this order.
struct activity_request {
  node_name node;
  std::string address;
  std::vector<node_name> neighbours;
  instant since;
  millis time_limit{};
};

struct activity_answer {
  node_name node;
  activity verdict = activity::unknown;
  std::string evidence;
  instant at;
};

} // namespace orderly
