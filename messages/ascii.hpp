// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Texts byte by byte, whatever the locale: small letters of names that are
// ASCII by their rules (hosts, hypervisors, settings), other bytes stay; and
// blanks.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace orderly {

inline char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lowered(std::string text) {
  for (auto& c : text)
    c = lower(c);
  return text;
}

/// True if there is nothing in `text` but blanks and control characters: what
/// was typed says nothing, as a name or as a reason.
inline bool is_blank(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte == 0x7f;
  });
}

} // namespace orderly
