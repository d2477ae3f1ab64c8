// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Requests and responses as plain values, made by the session from what Beast
// parsed and rendered by it. Handlers need no Beast and no socket.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace orderly::io::http {

/// The ways in, by what may be asked for there.
enum class door_kind {
  tcp,     ///< whoever can reach the address
  readers, ///< a unix socket of a group that may read
  orders,  ///< the unix socket of root and the daemon's user
};

const char* to_string(door_kind x);

struct request {
  std::string method; ///< upper case: `GET`, `HEAD`, `POST`, ...
  std::string target; ///< path and query as sent, still percent-encoded
  std::string accept; ///< the Accept header, or empty
  std::string body;
  bool local = false;    ///< came in by `door_kind::orders`
  std::uint32_t uid = 0; ///< of the peer process; only of unix sockets
  door_kind through = door_kind::orders;
  std::string host;       ///< the Host header
  std::string origin;     ///< likewise: of whose page this is
  std::string known_tags; ///< likewise If-None-Match
  bool takes_gzip = false;
  /// The digest of the client's, where it had to show one.
  std::string certificate;
};

struct response {
  unsigned status = 200;
  std::string content_type = "application/json";
  std::string body; ///< left out on the wire if the request was HEAD
  std::vector<std::pair<std::string, std::string>> headers;
  /// Instead of `body`, for what many are given.
  std::shared_ptr<const std::string> shared;
  /// Let go when the last byte has left, or the client.
  std::shared_ptr<void> ticket;

  [[nodiscard]] const std::string& text() const {
    return shared ? *shared : body;
  }
};

/// To be called once; later calls, and calls after the client has gone, do
/// nothing. Safe from any thread.
using reply = std::function<void(response)>;

/// Called on the loop's thread.
using handler = std::function<void(request, reply)>;

/// A JSON object `{"error": {"code": ..., "text": ...}}`.
response error_response(unsigned status, const std::string& code,
                        const std::string& text);

/// 503, and when to come back.
response busy_response(const std::string& text);

} // namespace orderly::io::http
