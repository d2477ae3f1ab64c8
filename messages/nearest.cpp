// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/nearest.hpp"

#include <algorithm>

namespace orderly {

namespace {

/// Insertions, deletions, changes and swaps of neighbours from `a` to `b`.
std::size_t distance(std::string_view a, std::string_view b) {
  using row = std::vector<std::size_t>;
  row before;
  row above(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row here(b.size() + 1);
    here[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      auto change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      here[j] = std::min({above[j] + 1, here[j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        here[j] = std::min(here[j], before[j - 2] + 1);
    }
    before = std::move(above);
    above = std::move(here);
  }
  return above[b.size()];
}

} // namespace

std::string nearest(std::string_view typed,
                    const std::vector<std::string>& known) {
  // Longer than any word of ours: not a slip of a finger.
  constexpr std::size_t length_max = 80;
  if (typed.size() > length_max)
    return {};
  std::string best;
  auto best_distance = std::max<std::size_t>(2, typed.size() / 3) + 1;
  for (auto& word : known) {
    auto d = distance(typed, word);
    if (d < best_distance) {
      best = word;
      best_distance = d;
    }
  }
  return best;
}

} // namespace orderly
