// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The routes about balancing: how it stands, and a plan that is only shown.

#pragma once

#include "io/http/call.hpp"
#include "io/http/routes.hpp"

namespace orderly::io::http {

/// The sheet of the balancer.
void show_balance(const call& x, const backend& to);

/// Has a plan made, which is only shown; the answer is the sheet as it is now,
/// and its `asked` the number that the plan will have. Over the unix socket
/// only, because every node is asked for its figures.
void order_plan(const call& x, const backend& to, const route_rules& rules);

} // namespace orderly::io::http
