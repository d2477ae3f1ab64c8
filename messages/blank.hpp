// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What was typed and says nothing: no name, and no reason.

#pragma once

#include <algorithm>
#include <string_view>

namespace orderly {

/// True if there is nothing in `text` but blanks and control characters.
inline bool is_blank(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte == 0x7f;
  });
}

} // namespace orderly
