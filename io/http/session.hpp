// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One connection: reads requests, has them handled, writes the answers, one
// after the other. Every wait has a deadline. Used by the server only; all of
// it runs on the loop's thread.
//
//   idle --bytes--> reading --complete--> handling --answer--> writing --> idle
//     |                |                     |                    |
//     +-- too long: close                    +-- too long: 504    +-->
//     lingering
//                      +-- too long, too large, garbage: 4xx ----------^

#pragma once

#include "io/http/message.hpp"
#include "messages/time.hpp"

#include <memory>

#include <boost/asio/generic/stream_protocol.hpp>

namespace orderly::io::http {

struct limits {
  std::uint32_t connections_max = 200; ///< for TCP and unix socket each
  std::uint32_t header_max = 8 * 1024;
  std::uint32_t body_max = 64 * 1024;
  millis request_timeout = seconds{10}; ///< for the handler to answer
  millis read_timeout = seconds{10};    ///< for one request to arrive
  millis write_timeout = seconds{30};   ///< for one answer to leave
  millis idle_timeout = seconds{60};    ///< between two requests
  millis linger_timeout = seconds{1};   ///< after an answer that ends it all
};

/// Who is at the other end.
struct peer {
  bool local = false;
  std::uint32_t uid = 0; ///< only if `local`
};

class session {
public:
  virtual ~session() = default;

  /// Ends it at once, without `closed`.
  virtual void close() = 0;
};

/// Serves `socket` until it ends, then calls `closed`. Keeps itself alive.
std::shared_ptr<session>
start_session(boost::asio::generic::stream_protocol::socket socket, peer who,
              const limits& rules, handler handle,
              std::function<void()> closed);

} // namespace orderly::io::http
