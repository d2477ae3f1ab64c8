// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/extent.hpp"

#include <algorithm>

namespace orderly::io {

namespace {

/// At the end of the text that begins at `at`.
std::size_t skip_text(std::string_view all, std::size_t at) {
  for (++at; at < all.size(); ++at) {
    if (all[at] == '"')
      break;
    if (all[at] == '\\')
      ++at;
  }
  return at;
}

/// Whether the text from `from` to `to`, its quotes, is the name of a member.
bool names_member(std::string_view all, std::size_t from, std::size_t to,
                  std::string_view name) {
  if (name.empty() || all.substr(from + 1, to - from - 1) != name)
    return false;
  auto next = all.find_first_not_of(" \t\r\n", std::min(to + 1, all.size()));
  return next != std::string_view::npos && all[next] == ':';
}

} // namespace

std::string why_too_much(std::string_view text, std::string_view unread) {
  constexpr auto nowhere = nesting_most + 1;
  std::size_t depth = 0;
  std::size_t values = 1;
  std::size_t uncounted = nowhere; ///< deeper than this nobody reads
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
    case '"': {
      auto end = skip_text(text, at);
      if (uncounted == nowhere && names_member(text, at, end, unread))
        uncounted = depth;
      at = end;
      break;
    }
    case '[':
    case '{':
      values += depth < uncounted ? 1 : 0;
      ++depth;
      break;
    case ']':
    case '}':
      depth -= depth > 0 ? 1 : 0;
      if (depth < uncounted)
        uncounted = nowhere;
      break;
    case ',':
      if (depth == uncounted)
        uncounted = nowhere;
      values += depth < uncounted ? 1 : 0;
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
