// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What -m names: a host, with the port of Ganeti's remote API unless another
// is given, or a whole address with a user.

#pragma once

#include "messages/result.hpp"

#include <string>
#include <string_view>

namespace orderly::io::htools {

struct rapi_address {
  std::string host;
  std::string port = "5080";
  std::string user; ///< empty: nobody
  std::string password;

  bool operator==(const rapi_address&) const = default;
};

/// "NAME", "NAME:PORT", "https://[USER:PASSWORD@]NAME[:PORT][/]"; a numeric
/// IPv6 address stands in brackets, and %XX spells any byte of user and
/// password. The fault does not repeat the text. Plain http is refused.
result<rapi_address> read_rapi_address(std::string_view text);

} // namespace orderly::io::htools
