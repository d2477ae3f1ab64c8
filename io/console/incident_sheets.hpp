// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Incidents of all kinds, as text for people. Total: what is not there shows as
// nothing.

#pragma once

#include "io/console/table.hpp"
#include "messages/time.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace orderly::io::console {

/// How the agents of nodes answer, a line each.
std::string agent_sheet(const nlohmann::json& x, const table_style& style,
                        instant now);

/// A line each: the nodes' own reports first.
std::string incident_list_sheet(const nlohmann::json& x,
                                const table_style& style);

/// One with all that is known, and what a person may do about it.
std::string incident_sheet(const nlohmann::json& x, const table_style& style,
                           instant now);

} // namespace orderly::io::console
