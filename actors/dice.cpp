// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/dice.hpp"

#include <fmt/format.h>

namespace orderly {

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
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", a >> 32,
                     (a >> 16) & 0xffff, a & 0x0fff,
                     ((b >> 48) & 0x3fff) | 0x8000, b & 0xffffffffffffULL);
}

} // namespace orderly
