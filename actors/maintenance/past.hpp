// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is kept of events that are forgotten: when they began, for the limit of
// an hour, and up to when reports of their nodes were about them; and of those
// that were never known here, which commands of them were seen. Used by the
// intake only.

#pragma once

#include "actors/maintenance/standings.hpp"

namespace orderly::intake_parts {

/// How many begin is counted over so long, as the settings say it.
inline constexpr millis counted_within = hours{1};

/// What the journal calls what is kept of events that are forgotten.
inline constexpr const char* past_key = "past-events";

/// An event is forgotten.
void note_past(self_ptr self, const event_standing& x);

/// Writes down what is kept, with a note about `object`.
void keep_past(self_ptr self, const object_id& object, std::string why);

/// From the journal.
void recall_past(intake_state& st, const recalled& before, instant at);

} // namespace orderly::intake_parts
