// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How long things may take: what the liveness laws go by.

#pragma once

#include "messages/time.hpp"

namespace orderly::sim {

/// How long things may take once nothing hinders them.
struct liveness_bounds {
  millis incident = minutes{60}; ///< L1: suspicion to end or alert
  millis restart = minutes{30};  ///< L2: proof to running again
  millis fence = minutes{45};    ///< L5: power loss to fenced
  millis suspend = minutes{15};  ///< L7: its time to the tag being gone
  millis levels = minutes{20};   ///< L6: fencing begun to all levels tried
  millis silence = minutes{60};  ///< L8: down to somebody being told
};

} // namespace orderly::sim
