// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How much a client may ask for, and how long it may take. Every wait has a
// deadline, and every number a bound.

#pragma once

#include "messages/time.hpp"

#include <cstdint>

namespace orderly::io::http {

struct limits {
  std::uint32_t connections_max = 200;         ///< of each door
  std::uint32_t connections_per_peer_max = 50; ///< of one address, or one user
  /// Whoever has shown no certificate yet, where one is asked for, has none of
  /// those places, but one of these.
  std::uint32_t greetings_max = 256;
  std::uint32_t header_max = 8 * 1024;
  std::uint32_t body_max = 64 * 1024;
  millis request_timeout = seconds{10}; ///< for the handler to answer
  millis read_timeout = seconds{10};    ///< for one request to arrive
  millis write_timeout = seconds{30};   ///< for one answer to leave
  millis idle_timeout = seconds{60};    ///< between two requests
  millis linger_timeout = seconds{1};   ///< after an answer that ends it all
};

} // namespace orderly::io::http
