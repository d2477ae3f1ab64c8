// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The kinds of answers that routes give.

#pragma once

#include "io/door/message.hpp"
#include "messages/result.hpp"

#include <nlohmann/json_fwd.hpp>

namespace orderly::io::http {

response json_response(const nlohmann::json& x);
response text_response(unsigned status, std::string text);
/// What a page of ours may do: load nothing, and be framed by nobody.
inline constexpr const char* page_policy
  = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/// What went wrong inside, as the HTTP status that says most of it.
response fault_response(const fault& x);

response bad_request(const std::string& text);
fault no_such(const std::string& kind, const std::string& name);

} // namespace orderly::io::http
