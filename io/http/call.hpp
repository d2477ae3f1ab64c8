// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One request that found its route. Made by routes, read by whatever answers.

#pragma once

#include "io/door/message.hpp"
#include "io/query/target.hpp"

#include <string>

namespace orderly::io::http {

struct call {
  request from;
  target to;
  std::string rest; ///< of the path, between what the route itself names
  reply done;
};

} // namespace orderly::io::http
