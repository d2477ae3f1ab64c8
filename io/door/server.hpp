// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Listens on a TCP address and on unix sockets and hands each request to one
// handler. Knows HTTP/1.1 and nothing about orderly; routes are the handler.
// A door that cannot be opened is tried again, and that is told: whoever took
// its place first must not keep the daemon from its work.

#pragma once

#include "io/door/session.hpp"
#include "io/loop/loop.hpp"
#include "messages/result.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace orderly::io::http {

/// How a door stands.
struct door_standing {
  door_kind kind = door_kind::tcp;
  std::string place; ///< address and port, or path
  bool open = false;
  std::string trouble; ///< why it is not open
};

struct server_rules {
  std::string address = "127.0.0.1"; ///< empty: no TCP
  std::uint16_t port = 0;            ///< 0: any free one
  std::string socket;                ///< path; empty: no unix socket
  std::string reader_socket;         ///< likewise, for `reader_group`
  std::string reader_group;
  std::vector<int> inherited; ///< sockets that listen already, by whoever
                              ///< started us; those that fit are taken
  limits bounds;
  /// What the next TCP connection is served with, asked on the loop's thread;
  /// null answers turn it away. Not set: no TLS.
  std::function<std::shared_ptr<tls_side>()> tls;
  millis retry_first{500}; ///< pause before a door is tried again; it doubles
  millis retry_max = seconds{30};
  /// Told of each change, on the loop's thread or within `start`.
  std::function<void(const door_standing&)> news;
  /// An exception ended a session.
  std::function<void(const std::string&)> failed;
};

class server {
public:
  /// Opens the doors that can be opened at once. Fails only where no other
  /// try could help. `on` must outlive the server and every answer that is
  /// still to be given.
  static result<std::unique_ptr<server>>
  start(loop& on, const server_rules& rules, handler handle);

  /// Closes everything and removes the unix sockets. The handler does not run
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
