// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/base/natural_order.hpp"

#include <string_view>

namespace orderly {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The number that begins at `at`, without leading zeros.
std::string_view number_at(std::string_view text, std::size_t& at) {
  while (at < text.size() && text[at] == '0')
    ++at;
  auto from = at;
  while (at < text.size() && is_digit(text[at]))
    ++at;
  return text.substr(from, at - from);
}

} // namespace

bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      auto x = number_at(a, i);
      auto y = number_at(b, j);
      if (x.size() != y.size())
        return x.size() < y.size();
      if (x != y)
        return x < y;
    } else if (a[i] != b[j]) {
      return static_cast<unsigned char>(a[i])
             < static_cast<unsigned char>(b[j]);
    } else {
      ++i;
      ++j;
    }
  }
  auto a_left = a.size() - i;
  auto b_left = b.size() - j;
  // "node01" and "node1": the same number, yet two names.
  return a_left != b_left ? a_left < b_left : a < b;
}

} // namespace orderly
