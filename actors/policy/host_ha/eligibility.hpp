// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// May host HA act on this node at all? Cheap, no I/O; names the criterion
// that fails (spec host-ha C.2, R8).

#pragma once

#include "messages/cluster.hpp"

#include <string>

namespace orderly {

struct eligibility_input {
  node_record node;
  std::string program;     ///< the first helper that would be tried; or empty
  bool recorded_on = true; ///< the power record in force
  std::string held;        ///< a person's doing that automation keeps out of
  /// Why its power control cannot be relied upon; empty: it can, as far as
  /// is known.
  std::string unprotected;
  bool is_self = false; ///< the node we run on
  bool is_master = false;
  bool ha_maintenance = false;  ///< the offline flag is HA's own doing
  std::uint32_t neighbours = 0; ///< other nodes online in the cluster
};

struct eligibility_answer {
  bool eligible = true;
  std::string reason; ///< why not
};

eligibility_answer eligible(const eligibility_input& in);

} // namespace orderly
