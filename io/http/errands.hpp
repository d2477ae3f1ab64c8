// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Errands over HTTP: what persons want of the power, begun, looked at and
// stopped. Over the unix socket only, for root and the user of orderlyd.

#pragma once

#include "io/http/call.hpp"
#include "io/http/routes.hpp"

namespace orderly::io::http {

/// Begins the errand in the body; the answer is its sheet as it begins. One
/// that is refused is 400, 404 or 409, by the kind of the refusal.
void order_errand(const call& x, const backend& to, const route_rules& rules);

/// The switches of host HA and how its nodes stand, as a sheet; and what turns
/// them, by the same body as an errand about "ha".
void list_ha(const call& x, const backend& to, const route_rules& rules);
void order_ha(const call& x, const backend& to, const route_rules& rules);

/// The sheets of all errands, without rows, newest last.
void list_errands(const call& x, const backend& to, const route_rules& rules);

/// The sheet of the errand `x.rest`.
void show_errand(const call& x, const backend& to, const route_rules& rules);

/// Begins nothing more of the errand `x.rest`; the answer is its sheet.
void order_stop(const call& x, const backend& to, const route_rules& rules);

} // namespace orderly::io::http
