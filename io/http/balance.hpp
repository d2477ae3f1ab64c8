// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The order for a plan of balancing that is only shown.

#pragma once

#include "io/http/call.hpp"
#include "io/http/routes.hpp"

namespace orderly::io::http {

/// Has a plan made, which is only shown; the answer is the sheet as it is now,
/// and its `asked` the number that the plan will have. Over the unix socket
/// only, because every node is asked for its figures.
void order_plan(const call& x, const backend& to, const route_rules& rules);

} // namespace orderly::io::http
