// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How balancing stands, as JSON. The keys are documented in
// docs/operations-balance.md and stay.

#pragma once

#include "messages/plan.hpp"
#include "messages/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace orderly::io::http {

nlohmann::json render(const planned_move& x);
nlohmann::json render(const balance_sheet& x);

/// The body of an order for a plan: empty, or the instances to explain. Fails
/// as `bad_input`.
result<std::vector<std::string>> read_explained(const std::string& body);

} // namespace orderly::io::http
