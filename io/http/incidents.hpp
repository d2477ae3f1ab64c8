// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Incidents of all kinds over HTTP: what nodes report of themselves, nodes in
// trouble, instances under repair. The paths of the original maintenance daemon
// tell of the first kind alone. Orders are about these, too.

#pragma once

#include "io/http/call.hpp"
#include "io/http/reading.hpp"
#include "io/http/routes.hpp"

namespace orderly::io::http {

/// /1, /1/status, /1/jobs, /1/evacuated.
void send_old_path(const call& x, const reading_room& in);

/// /2/incidents: all; and the one that is named `x.rest`.
void send_incidents(const call& x, const reading_room& in);
void send_incident(const call& x, const reading_room& in);

/// /2/agents: how the agents of all nodes answer, and whose reports count.
void send_agents(const call& x, const reading_room& in);

/// Has `verb` done to the event `x.rest`. The body may say which `serial_no` it
/// must have still.
void order_about_event(const call& x, const backend& to,
                       const route_rules& rules, event_verb verb);

} // namespace orderly::io::http
