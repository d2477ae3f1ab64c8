// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/query/target.hpp"

#include <cstdint>
#include <optional>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decode(std::string_view text, bool plus_is_blank) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    auto c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size())
        return std::nullopt;
      auto high = hex_value(text[i + 1]);
      auto low = hex_value(text[i + 2]);
      if (high < 0 || low < 0)
        return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_blank) {
      c = ' ';
    }
    if (c == '\0')
      return std::nullopt;
    result += c;
  }
  return result;
}

fault broken() {
  return {fault_kind::bad_input, "the request target is not a path with "
                                 "valid percent-encoding"};
}

} // namespace

result<target> parse_target(std::string_view text) {
  auto mark = text.find('?');
  auto path = decode(text.substr(0, mark), false);
  if (!path || path->empty() || path->front() != '/')
    return broken();
  target into{*path, {}};
  auto rest = mark == text.npos ? std::string_view{} : text.substr(mark + 1);
  while (!rest.empty()) {
    auto end = rest.find('&');
    auto pair = rest.substr(0, end);
    rest = end == rest.npos ? std::string_view{} : rest.substr(end + 1);
    if (pair.empty())
      continue;
    auto equals = pair.find('=');
    auto name = decode(pair.substr(0, equals), true);
    auto value = decode(
      equals == pair.npos ? std::string_view{} : pair.substr(equals + 1), true);
    if (!name || !value)
      return broken();
    if (!into.query.emplace(*name, *value).second)
      return fault{fault_kind::bad_input,
                   fmt::format("parameter '{}' is given twice", *name)};
  }
  return into;
}

std::string percent_encode(std::string_view text) {
  constexpr std::string_view safe
    = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string result;
  for (auto c : text) {
    if (safe.find(c) != safe.npos)
      result += c;
    else
      result += fmt::format("%{:02X}", static_cast<std::uint8_t>(c));
  }
  return result;
}

} // namespace orderly::io::http
