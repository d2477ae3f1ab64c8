// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Numbers as parameters give them. Used by the readers of queries.

#pragma once

#include <charconv>
#include <string>

namespace orderly::io::http {

/// Decimal digits only, nothing else.
template <class Number>
bool read_number(const std::string& text, Number& into) {
  auto end = text.data() + text.size();
  auto [stop, e] = std::from_chars(text.data(), end, into);
  return e == std::errc{} && stop == end;
}

} // namespace orderly::io::http
