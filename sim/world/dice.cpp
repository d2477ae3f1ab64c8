// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/world/dice.hpp"

namespace orderly::sim {

std::uint64_t dice::next() {
  state_ += 0x9e3779b97f4a7c15ULL;
  auto z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t dice::below(std::uint64_t n) {
  return n == 0 ? 0 : next() % n;
}

std::int64_t dice::between(std::int64_t least, std::int64_t most) {
  if (most <= least)
    return least;
  auto span = static_cast<std::uint64_t>(most - least) + 1;
  return least + static_cast<std::int64_t>(below(span));
}

bool dice::chance(std::uint64_t per_mille) {
  return below(1000) < per_mille;
}

dice dice_for(std::uint64_t seed, std::string_view name) {
  // FNV-1a, then one round of mixing with the seed.
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (auto c : name) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return dice{dice{seed ^ hash}.next()};
}

} // namespace orderly::sim
