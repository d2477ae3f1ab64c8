// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Small letters of names that are ASCII by their rules: hosts, hypervisors,
// settings. Other bytes stay, whatever the locale.

#pragma once

#include <string>

namespace orderly {

inline char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lowered(std::string text) {
  for (auto& c : text)
    c = lower(c);
  return text;
}

} // namespace orderly
