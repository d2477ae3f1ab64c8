// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One request that found its route, and who sent it. Made by routes, read by
// whatever answers.

#pragma once

#include "io/door/message.hpp"
#include "io/query/target.hpp"

#include <cstdint>
#include <string>

namespace orderly::io::http {

struct call {
  request from;
  target to;
  std::string rest; ///< of the path, between what the route itself names
  reply done;
};

/// Over a unix socket only, for root and the user of orderlyd.
inline bool may_order(const request& x, std::uint32_t own_uid) {
  return x.local && (x.uid == 0 || x.uid == own_uid);
}

/// Who a user id is, for journals and messages: the login name, or `uid N` if
/// there is none.
std::string peer_name(std::uint32_t uid);

} // namespace orderly::io::http
