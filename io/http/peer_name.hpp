// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who a user id is, for journals and messages.

#pragma once

#include <cstdint>
#include <string>

namespace orderly::io::http {

/// The login name, or `uid N` if there is none.
std::string peer_name(std::uint32_t uid);

} // namespace orderly::io::http
