// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The variable that names the socket for those who give no --socket.

#pragma once

#include <optional>
#include <string>

namespace orderly::io::console {

inline constexpr const char* socket_variable = "ORDERLY_SOCKET";

/// Why nothing is asked by it: it is set and names nothing. The usual socket
/// is not taken then, since it may be that of a daemon that is not meant.
std::optional<std::string> wrong_socket_variable();

} // namespace orderly::io::console
