// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Opens the listening sockets of the server, or says in a sentence why not;
// and who came in by one.

#pragma once

#include "io/door/session.hpp"
#include "messages/result.hpp"

#include <optional>
#include <string>

namespace orderly::io::http {

/// A socket that listens at an address. Who calls these owns the descriptor.
result<int> listen_tcp(const std::string& address, std::uint16_t port);

/// The socket has mode 0600; or 0660 and the group `group`, if that is named.
/// Its folder is made if only that is missing; a socket that nobody listens on
/// any more is replaced.
result<int> listen_unix(const std::string& path, const std::string& group);

/// Gives the socket at `path` the mode and group as above. A sentence if what
/// is there is no socket of ours, or a second name of one: in a folder of
/// somebody else it may have changed since it was made.
std::string let_in(const std::string& path, const std::string& group);

/// The TCP port of a listening socket; 0 if it has none.
std::uint16_t port_of(int socket);

/// True if `socket` listens at that address and port; 0: at any port.
bool listens_at(int socket, const std::string& address, std::uint16_t port);

/// True if `socket` listens at that path.
bool listens_at(int socket, const std::string& path);

/// Who is at the other end of `socket`, as far as that can be known.
peer peer_of(int socket, door_kind through);

/// True if nobody but this machine can reach `address`.
bool is_loopback(const std::string& address);

/// What is wrong with `address`, a sentence; empty if it is an IP address.
std::string why_no_address(const std::string& address);

} // namespace orderly::io::http
