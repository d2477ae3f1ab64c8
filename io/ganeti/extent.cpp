// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/extent.hpp"

namespace orderly::io {

namespace {

/// Past the end of the text that begins at `at`.
std::size_t skip_text(std::string_view all, std::size_t at) {
  for (++at; at < all.size(); ++at) {
    if (all[at] == '"')
      break;
    if (all[at] == '\\')
      ++at;
  }
  return at;
}

} // namespace

std::string why_too_much(std::string_view text) {
  std::size_t depth = 0;
  std::size_t values = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
    case '"':
      at = skip_text(text, at);
      break;
    case '[':
    case '{':
      ++values;
      ++depth;
      break;
    case ']':
    case '}':
      depth -= depth > 0 ? 1 : 0;
      break;
    case ',':
      ++values;
      break;
    default:
      break;
    }
    if (depth > nesting_most)
      return "it is nested deeper than " + std::to_string(nesting_most);
    if (values > values_most)
      return "it has more than " + std::to_string(values_most) + " values";
  }
  return {};
}

} // namespace orderly::io
