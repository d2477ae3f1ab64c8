// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Times for programs outside: RFC 3339 in UTC.

#pragma once

#include "messages/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace orderly::io::http {

/// `2026-03-01T12:00:03.250Z`; empty for `never` and for what lies outside
/// the years 1970 to 9999.
std::string to_rfc3339(instant t);

/// Reads what `to_rfc3339` writes; the fraction may be missing.
std::optional<instant> from_rfc3339(std::string_view text);

} // namespace orderly::io::http
