// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Repair events as text in JSON, as readers of the original maintenance daemon
// know them. What a node reported is passed on as it came, byte for byte.

#pragma once

#include "messages/event.hpp"

#include <string>
#include <vector>

namespace orderly::io::http {

/// A list of all, with the keys of the original and `node-name` beside them.
std::string events_text(const std::vector<event_standing>& all);

/// The ids of the jobs of all that are not over, ascending.
std::string event_jobs_text(const std::vector<event_standing>& all);

/// One event with what only orderly knows: phase, why, blocked.
std::string event_text(const event_standing& x);

} // namespace orderly::io::http
