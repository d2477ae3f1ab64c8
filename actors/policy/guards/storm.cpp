// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/storm.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::storm {

std::uint32_t limit(const rules& r, std::uint32_t nodes) {
  auto by_percent = std::uint64_t{nodes} * r.percent_max / 100;
  auto result = std::max(std::uint64_t{r.nodes_max}, by_percent);
  // When most nodes seem gone it is more likely ourselves (S8).
  auto minority = nodes < 3 ? std::uint64_t{1} : (std::uint64_t{nodes} - 1) / 2;
  result = std::min(result, minority);
  return static_cast<std::uint32_t>(
    std::min(result, std::uint64_t{UINT32_MAX}));
}

state step(const state& s, std::uint32_t troubled, std::uint32_t nodes,
           const rules& r, instant now) {
  auto next = s;
  next.troubled = troubled;
  next.nodes = nodes;
  if (troubled > limit(r, nodes)) {
    if (!s.open)
      next.since = now;
    next.open = true;
    next.calm_since = never;
  } else if (s.open) {
    if (s.calm_since == never)
      next.calm_since = now;
    if (now - next.calm_since >= r.cooldown)
      next.open = false;
  }
  return next;
}

std::string standing_text(const state& s, const rules& r) {
  auto max = limit(r, s.nodes);
  auto counts = fmt::format("{} of {} nodes are in trouble, limit {}",
                            s.troubled, s.nodes, max);
  if (s.open && s.troubled <= max)
    return fmt::format("just over, it must stay calm for {} s; {}",
                       r.cooldown.count() / 1000, counts);
  return counts;
}

answer may_act(const state& s, const rules& r) {
  if (s.open || s.troubled > limit(r, s.nodes))
    return {false, "storm: " + standing_text(s, r)};
  return {};
}

} // namespace orderly::storm
