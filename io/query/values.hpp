// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Values of parameters: numbers, and words of which there are a few. Used by
// the readers of queries.

#pragma once

#include "messages/result.hpp"

#include <charconv>
#include <string>
#include <vector>

namespace orderly::io::http {

using words = std::vector<std::string>;

/// Phases of nodes, and of instances, as they are shown.
const words& node_phases();
const words& instance_phases();

bool is_one_of(const words& known, const std::string& value);

/// A sentence that names the parameter and what it takes.
fault unknown_word(const std::string& key, const std::string& value,
                   const words& known);

/// Decimal digits only, nothing else.
template <class Number>
bool read_number(const std::string& text, Number& into) {
  auto end = text.data() + text.size();
  auto [stop, e] = std::from_chars(text.data(), end, into);
  return e == std::errc{} && stop == end;
}

} // namespace orderly::io::http
