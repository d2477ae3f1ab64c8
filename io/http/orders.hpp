// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What people may order over HTTP: pause, resume, and a repair of one
// instance. Over the unix socket only, for root and the user of orderlyd.

#pragma once

#include "io/http/call.hpp"
#include "io/http/routes.hpp"

namespace orderly::io::http {

/// Answers those who may not give orders; true if that was so.
bool turned_away(const call& x, const route_rules& rules);

/// Holds all new destructive acts, or lets them go on.
void order_pause(const call& x, const backend& to, const route_rules& rules,
                 bool pause);

/// Has the instance `x.rest` repaired once; the body says up to which type.
void order_repair(const call& x, const backend& to, const route_rules& rules);

} // namespace orderly::io::http
