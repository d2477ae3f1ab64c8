// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which events the intake knows, and how they are told what they decide from.
// Used by its own files only.

#pragma once

#include "actors/maintenance/intake.hpp"

namespace orderly::intake_parts {

using self_ptr = intake_actor::stateful_pointer<intake_state>;

/// How all events stand that are known by now.
std::vector<event_standing> standings_of(const intake_state& st);

/// Some events were started, and have not said yet what they are about.
bool any_unknown(const intake_state& st);

/// Starts the actor of an event that the journal knows.
void start(self_ptr self, const std::string& uuid);

/// Every event hears what it decides from; so do those who leave nodes alone.
void spread(self_ptr self);

} // namespace orderly::intake_parts
