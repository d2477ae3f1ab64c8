// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What must speak for a piece of work, when it is begun, when it leaves and
// while it waits in the queue. Used by the event's machine only.

#pragma once

#include "actors/policy/maintenance/situation.hpp"

namespace orderly::maintenance {

/// Why no report speaks for it just now; empty: the newest one does.
std::string unasked(const state& s, const situation& x);

/// What of its own keeps it from beginning; empty: nothing.
std::string unwilling(const state& s, const situation& x);

/// Why an evacuation is not done, by the newest picture; empty: it is, or it is
/// none.
std::string unready(const state& s, const event_facts& seen);

/// Why the work must not leave; empty: it may.
std::string against(const state& s, const work& w, const situation& x);

/// What is in the queue is called back once it would not be sent any more.
void call_back_fallen(verdict& v, const situation& x);

} // namespace orderly::maintenance
