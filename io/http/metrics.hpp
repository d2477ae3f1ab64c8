// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The view's status, and how balancing stands, as Prometheus metrics. The
// counters that the view is known to keep have fixed names; any other is named
// by its key, with labels if it needs any, such as `things` or
// `things{kind=odd}`: prefix and `_total` are added here.

#pragma once

#include "messages/plan.hpp"
#include "messages/view.hpp"

#include <string>

namespace orderly::io::http {

/// Strangers read how many nodes there are of a kind, and not which.
enum class naming { nodes_shown, nodes_hidden };

/// Text format 0.0.4. Counters whose name is no metric name are left out; so
/// is balancing if `balance` is null.
std::string metrics_text(const status_row& x,
                         const balance_sheet* balance = nullptr,
                         naming who = naming::nodes_shown);

} // namespace orderly::io::http
