// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One request that found its route. Made by routes, read by whatever answers.

#pragma once

#include "io/door/message.hpp"
#include "io/http/target.hpp"

#include <charconv>
#include <string>

namespace orderly::io::http {

struct call {
  request from;
  target to;
  std::string rest; ///< of the path, between what the route itself names
  reply done;
};

/// Decimal digits only, nothing else.
template <class Number>
bool read_number(const std::string& text, Number& into) {
  auto end = text.data() + text.size();
  auto [stop, e] = std::from_chars(text.data(), end, into);
  return e == std::errc{} && stop == end;
}

} // namespace orderly::io::http
