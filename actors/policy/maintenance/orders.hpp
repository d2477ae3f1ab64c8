// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What persons want of an event. Used by the event's machine only.

#pragma once

#include "actors/policy/maintenance/situation.hpp"

namespace orderly::maintenance {

/// The answer is among the actions, whatever it is.
void take(verdict& v, const ordered& e, const situation& x);

} // namespace orderly::maintenance
