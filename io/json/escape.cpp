// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/escape.hpp"

#include <cstdint>

namespace orderly::io::http {

namespace {

/// The size of the UTF-8 character at the start of `text`, 0 if none is.
size_t character_size(std::string_view text) {
  auto byte = [text](size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(text[i])
                           : std::uint8_t{0};
  };
  auto lead = byte(0);
  if (lead < 0x80)
    return 1;
  size_t size = lead >= 0xc2 && lead < 0xe0   ? 2
                : lead >= 0xe0 && lead < 0xf0 ? 3
                : lead >= 0xf0 && lead < 0xf5 ? 4
                                              : 0;
  for (size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  // Overlong forms, surrogates, and what lies beyond U+10FFFF.
  auto second = byte(1);
  if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f)
      || (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f))
    return 0;
  return size;
}

} // namespace

std::size_t control_size(std::string_view text) {
  auto lead = static_cast<std::uint8_t>(text.front());
  if (lead < 0x20 || lead == 0x7f)
    return 1;
  auto within = [text](std::string_view first, std::string_view last) {
    auto x = text.substr(0, first.size());
    return first <= x && x <= last;
  };
  // U+0080 to U+009F: terminals take them for escape sequences, too.
  if (within("\xc2\x80", "\xc2\x9f") || within("\xd8\x9c", "\xd8\x9c"))
    return 2;
  if (within("\xe2\x80\x8e", "\xe2\x80\x8f")     // U+200E, U+200F
      || within("\xe2\x80\xa8", "\xe2\x80\xae")  // U+2028 to U+202E
      || within("\xe2\x81\xa6", "\xe2\x81\xa9")) // U+2066 to U+2069
    return 3;
  return 0;
}

std::string valid_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    auto size = character_size(text);
    if (size == 0)
      result += "\xef\xbf\xbd";
    else
      result += text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return result;
}

std::string one_line(std::string_view text) {
  auto clean = valid_utf8(text);
  std::string result;
  result.reserve(clean.size());
  for (std::string_view rest{clean}; !rest.empty();) {
    auto size = control_size(rest);
    result += size == 0 ? rest.front() : ' ';
    rest.remove_prefix(size == 0 ? 1 : size);
  }
  return result;
}

std::string escape_html(std::string_view text) {
  std::string result;
  for (auto c : one_line(text)) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    default:
      result += c;
    }
  }
  return result;
}

} // namespace orderly::io::http
