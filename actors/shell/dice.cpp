// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/shell/dice.hpp"

namespace orderly {

namespace {

/// The lowest `digits` of `x`, in hex.
void append_hex(std::string& text, std::uint64_t x, int digits) {
  for (auto i = digits - 1; i >= 0; --i)
    text += "0123456789abcdef"[(x >> (4 * i)) & 0xf];
}

} // namespace

std::uint64_t dice::next() {
  auto z = (state_ += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t dice::below(std::uint64_t bound) {
  return bound == 0 ? 0 : next() % bound;
}

std::string dice::uuid() {
  auto a = next();
  auto b = next();
  std::string text;
  text.reserve(36);
  append_hex(text, a >> 32, 8);
  text += '-';
  append_hex(text, a >> 16, 4);
  text += "-4";
  append_hex(text, a, 3);
  text += '-';
  append_hex(text, ((b >> 48) & 0x3fff) | 0x8000, 4);
  text += '-';
  append_hex(text, b, 12);
  return text;
}

} // namespace orderly
