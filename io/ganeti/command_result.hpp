// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How commands on nodes ended that a job ran: Ganeti ends it well whatever came
// of them. Pure.

#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace orderly::io {

/// The end of what the first of them is said to have failed with; nullopt: none
/// failed. `results`: of all opcodes of the job.
std::optional<std::string> command_failure(const nlohmann::json& results);

} // namespace orderly::io
