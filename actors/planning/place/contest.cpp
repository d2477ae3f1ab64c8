// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/contest.hpp"

namespace orderly::planning {

void contest::enter(const outcome& x) {
  auto [low, high] = scores_.bounds_after(instance_, x);
  if (low > ceiling_)
    return;
  entries_.push_back({low, x});
  if (high < ceiling_)
    ceiling_ = high;
}

std::optional<outcome> contest::winner() {
  const outcome* best = nullptr;
  for (const auto& e : entries_) {
    if (e.low > ceiling_)
      continue;
    auto score = scores_.after(instance_, e.what);
    if (best && score_ < score)
      continue;
    best = &e.what;
    score_ = score;
  }
  return best ? std::optional{*best} : std::nullopt;
}

} // namespace orderly::planning
