// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What whoever reads a node's power can know of its boots.

#pragma once

#include "sim/state/lab_state.hpp"

#include <vector>

namespace orderly::sim {

struct boots_seen {
  instant off;             ///< last read so, and it was
  std::vector<instant> on; ///< read so after that, as long as it counts
  instant begun;           ///< the last command that began
  instant before;          ///< the one before
  instant troubled;        ///< since when it is, degraded and recovered with it

  void enter(ha_phase next, instant now);

  /// `lately`: so long counts that it came on.
  void note(const power_deed& deed, millis lately);
};

} // namespace orderly::sim
