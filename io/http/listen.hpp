// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Opens the listening sockets of the server, or says in a sentence why not.

#pragma once

#include "messages/result.hpp"

#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

namespace orderly::io::http {

using tcp_acceptor = boost::asio::ip::tcp::acceptor;
using unix_acceptor = boost::asio::local::stream_protocol::acceptor;

result<tcp_acceptor> listen_tcp(boost::asio::io_context& on,
                                const std::string& address, std::uint16_t port);

/// The socket has mode 0600. Its folder is made if only that is missing; a
/// socket that nobody listens on any more is replaced.
result<unix_acceptor> listen_unix(boost::asio::io_context& on,
                                  const std::string& path);

} // namespace orderly::io::http
