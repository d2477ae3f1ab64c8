// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Members of JSON answers as sheets want them: what is missing, or of another
// kind, is shown as nothing.

#pragma once

#include "messages/time.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace orderly::io::console {

/// The member of that name; null if there is none.
const nlohmann::json& part(const nlohmann::json& x, const char* name);

/// A text, or a number as it is written; else empty.
std::string text(const nlohmann::json& x, const char* name);

/// How long ago the time was that is written there; or empty.
std::string age(const nlohmann::json& x, const char* name, instant now);

/// False unless it is true.
bool flag(const nlohmann::json& x, const char* name);

} // namespace orderly::io::console
