// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Turns what the view knows into JSON. Times are RFC 3339 in UTC, `null` for
// what never happened; bytes that are no UTF-8 are replaced, never refused.

#pragma once

#include "messages/view.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace orderly::io::http {

/// RFC 3339, or null.
nlohmann::json render_time(instant t);

nlohmann::json render(const rehearsal& x);
nlohmann::json render(const status_row& x);
nlohmann::json render(const node_row& x);
nlohmann::json render(const instance_row& x);
nlohmann::json render(const journal_entry& x);

/// A list of any of the above, under `name`.
template <class Row>
nlohmann::json render_list(const char* name, const std::vector<Row>& rows);

/// Compact text; never fails.
std::string to_text(const nlohmann::json& x);

} // namespace orderly::io::http
