// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What orderly would do next, as JSON; used by the routes.

#pragma once

#include "messages/plan.hpp"
#include "messages/view.hpp"

#include <nlohmann/json_fwd.hpp>

namespace orderly::io::http {

/// The list with what it rests on. `all` has status, nodes and instances.
nlohmann::json render_next(const view_answer& all,
                           const balance_sheet& balance);

} // namespace orderly::io::http
