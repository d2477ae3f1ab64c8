// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The daemon's JSON as text for people: one function a command. Total: what
// is missing or of another type in the JSON shows as empty.

#pragma once

#include "io/console/table.hpp"
#include "messages/time.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace orderly::io::console {

std::string status_sheet(const nlohmann::json& x, const table_style& style,
                         instant now);
std::string node_sheet(const nlohmann::json& x, const table_style& style,
                       instant now);
std::string instance_sheet(const nlohmann::json& x, const table_style& style);
std::string decision_sheet(const nlohmann::json& x, const table_style& style);
std::string explain_sheet(const nlohmann::json& x, const table_style& style,
                          instant now);
std::string advice_sheet(const nlohmann::json& x, const table_style& style);

/// What keeps orderly from acting on any instance, or empty.
std::string advice_remark(const nlohmann::json& x);

} // namespace orderly::io::console
