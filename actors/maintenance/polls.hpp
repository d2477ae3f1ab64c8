// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How nodes are asked for their reports, and what becomes of the answers. Used
// by the intake only.

#pragma once

#include "actors/maintenance/standings.hpp"

namespace orderly::intake_parts {

/// Asks all nodes; the next sweep follows in its time.
void poll(self_ptr self);

/// The same as soon as a quarter of an interval has passed since the last:
/// whatever a node says, nobody is asked more often for it.
void poll_soon(self_ptr self);

} // namespace orderly::intake_parts
