// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Balancing and what comes next, as text for people. Total: what is missing
// in the answer shows as nothing.

#pragma once

#include "io/console/table.hpp"
#include "messages/time.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace orderly::io::console {

/// How balancing stands: phase, moves under way, scores, who is left alone.
std::string balance_status_sheet(const nlohmann::json& x,
                                 const table_style& style, instant now);

/// The plan: moves, explanations, scores, who is left alone, and why.
std::string balance_plan_sheet(const nlohmann::json& x,
                               const table_style& style);

/// What would be done next.
std::string next_sheet(const nlohmann::json& x, const table_style& style);

} // namespace orderly::io::console
