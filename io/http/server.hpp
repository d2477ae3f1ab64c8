// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Listens on a TCP address and on a unix socket and hands each request to one
// handler. Knows HTTP/1.1 and nothing about orderly; routes are the handler.

#pragma once

#include "io/http/session.hpp"
#include "io/loop/loop.hpp"
#include "messages/result.hpp"

#include <memory>
#include <string>

namespace orderly::io::http {

struct server_rules {
  std::string address = "127.0.0.1"; ///< empty: no TCP
  std::uint16_t port = 0;            ///< 0: any free one
  std::string socket;                ///< path; empty: no unix socket
  limits bounds;
};

class server {
public:
  /// Listens at once. `on` must outlive the server and every answer that is
  /// still to be given.
  static result<std::unique_ptr<server>>
  start(loop& on, const server_rules& rules, handler handle);

  /// Closes everything and removes the unix socket. The handler does not run
  /// any more when this returned; not to be called by the handler.
  ~server();

  server(const server&) = delete;
  server& operator=(const server&) = delete;

  /// The TCP port really listened on, 0 if none.
  [[nodiscard]] std::uint16_t port() const;

private:
  struct impl;

  explicit server(std::shared_ptr<impl> x);

  std::shared_ptr<impl> impl_;
};

} // namespace orderly::io::http
