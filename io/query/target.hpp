// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a request line points at: path and query, taken apart and decoded.
// Used by routes.

#pragma once

#include "messages/result.hpp"

#include <map>
#include <string>
#include <string_view>

namespace orderly::io::http {

struct target {
  std::string path; ///< decoded, begins with a slash
  std::map<std::string, std::string> query;
};

/// Fails on targets without a leading slash, on broken percent-encoding, on
/// NUL bytes and on parameters given twice.
result<target> parse_target(std::string_view text);

/// `text` fit to be one segment of a path or one value of a query.
std::string percent_encode(std::string_view text);

} // namespace orderly::io::http
