// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Errands under way or ended, as text for people. Total: what cannot be read
// shows as a line that says so.

#pragma once

#include "io/console/table.hpp"
#include "messages/time.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace orderly::io::console {

/// The list of all.
std::string errand_list_sheet(const nlohmann::json& x, const table_style& style,
                              instant now);

/// One with its rows and remarks.
std::string errand_detail_sheet(const nlohmann::json& x,
                                const table_style& style, instant now);

} // namespace orderly::io::console
