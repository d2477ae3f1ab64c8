// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// State of the world as seen: one source's claim about one node at one
// instant. "Unknown" is never "bad" and never "off", and not having looked is
// not even unknown.

#pragma once

#include "messages/ids.hpp"
#include "messages/time.hpp"

#include <memory>
#include <string>
#include <vector>

namespace orderly {

enum class health {
  healthy,
  unhealthy,
  unknown,    ///< the check ran and could not tell
  not_looked, ///< nobody looked: the check was not admitted or did not end
};

inline const char* to_string(health x) {
  return x == health::healthy      ? "healthy"
         : x == health::unhealthy  ? "unhealthy"
         : x == health::not_looked ? "not looked"
                                   : "unknown";
}

/// Asks for one health check of `node`.
struct probe_request {
  node_name node;
  std::string address; ///< an IP address: names are not looked up
  millis time_limit{}; ///< once it has its turn
  /// Asked once, before an act or a proof, and never counted as a health check.
  bool last_look = false;
  bool beside = false; ///< only to compare with what another node says
  bool own = false; ///< our own machine: that it answers says nothing of others
  /// A person says that it is off, whether or not another node can be heard:
  /// its silence needs no witness.
  bool sworn = false;
  bool out = false;       ///< fenced or out of service: its silence is no news
  bool by_keeper = false; ///< asked by the node's own actor
};

/// The answer. `evidence` is a short sentence such as "1811 refused".
struct sighting {
  node_name node;
  health verdict = health::unknown;
  std::string evidence;
  instant at; ///< when the answer was here
  /// Something answered, if only to refuse: a machine without power does not.
  bool lives = false;
  /// Nothing answered, of other nodes neither: our own link may be cut, and
  /// nobody has looked.
  bool alone = false;
  /// It is silent, and there was nobody else to compare it with.
  bool unwitnessed = false;
};

enum class activity {
  active,     ///< something on that node still serves
  inactive,   ///< looked, and nothing moves
  unknown,    ///< looked, and could not tell
  not_looked, ///< nobody looked: the check was not admitted or did not end
};

inline const char* to_string(activity x) {
  return x == activity::active       ? "active"
         : x == activity::inactive   ? "inactive"
         : x == activity::not_looked ? "not looked"
                                     : "unknown";
}

/// Asks whether `node`, which fails its health checks, still does something
/// since `since`. `neighbours` may be asked in its stead, in this order; null:
/// nobody, and it may be among them. The live port asks the node alone. Shared,
/// because it is long and many ask.
struct activity_request {
  node_name node;
  std::string address;
  std::shared_ptr<const std::vector<node_name>> neighbours;
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
