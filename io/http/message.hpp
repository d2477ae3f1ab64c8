// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A request and its answer as plain values, so that whoever handles requests
// needs to know nothing about sockets. Made by the session, read by routes.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace orderly::io::http {

struct request {
  std::string method; ///< upper case: `GET`, `HEAD`, `POST`, ...
  std::string target; ///< path and query as sent, still percent-encoded
  std::string accept; ///< the Accept header, or empty
  std::string body;
  bool local = false;    ///< came in over the unix socket
  std::uint32_t uid = 0; ///< of the peer process; only if `local`
};

struct response {
  unsigned status = 200;
  std::string content_type = "application/json";
  std::string body; ///< left out on the wire if the request was HEAD
  std::vector<std::pair<std::string, std::string>> headers;
};

/// Takes the answer, once, on any thread; further answers are dropped.
using reply = std::function<void(response)>;

/// Called on the loop's thread; must not block. The answer may come later.
using handler = std::function<void(request, reply)>;

/// The JSON object that every failure is told with:
/// `{"error":{"code":CODE,"text":TEXT}}`.
response error_response(unsigned status, const std::string& code,
                        const std::string& text);

} // namespace orderly::io::http
