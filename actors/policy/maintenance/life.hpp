// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an event does where it stands: when it begins, what follows what, and
// how it goes from phase to phase. Each takes the verdict as it is so far. Used
// by the machine's own files only.

#pragma once

#include "actors/policy/maintenance/situation.hpp"

namespace orderly::maintenance {

/// Goes on from where it stands.
void tend(verdict& v, const situation& x);

/// What waits to begin: maintenance/noted.cpp.
void tend_noted(verdict& v, const situation& x, const node_record& node);

/// Not by an order: whoever reported it hears why.
void cancel(verdict& v, const situation& x, std::string why);

/// Another phase, and why; the serial number grows.
void turn(verdict& v, const situation& x, event_phase to, std::string why);

/// What it waits for, told when it is new.
void wait_for(verdict& v, const situation& x, std::string why);

/// No further job: what is queued is called back, and the failure tag follows.
void fail(verdict& v, const situation& x, std::string reason);

} // namespace orderly::maintenance
