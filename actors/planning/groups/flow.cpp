// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/flow.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

std::size_t index_of(int point) {
  return static_cast<std::size_t>(point);
}

} // namespace

void flow_net::connect(int from, int to, std::int64_t capacity) {
  arcs_of_[index_of(from)].push_back(arcs_.size());
  arcs_.push_back({to, capacity});
  arcs_of_[index_of(to)].push_back(arcs_.size());
  arcs_.push_back({from, 0});
}

/// How far each point is from the source by arcs that have room.
bool flow_net::measure(int source, int sink) {
  level_.assign(arcs_of_.size(), -1);
  level_[index_of(source)] = 0;
  std::vector<int> reached{source};
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (auto a : arcs_of_[index_of(reached[k])]) {
      auto& level = level_[index_of(arcs_[a].to)];
      if (arcs_[a].left <= 0 || level >= 0)
        continue;
      level = level_[index_of(reached[k])] + 1;
      reached.push_back(arcs_[a].to);
    }
  return level_[index_of(sink)] >= 0;
}

std::int64_t flow_net::push(int point, int sink, std::int64_t most) {
  if (point == sink)
    return most;
  for (auto& k = next_[index_of(point)]; k < arcs_of_[index_of(point)].size();
       ++k) {
    auto a = arcs_of_[index_of(point)][k];
    if (arcs_[a].left <= 0
        || level_[index_of(arcs_[a].to)] != level_[index_of(point)] + 1)
      continue;
    auto pushed = push(arcs_[a].to, sink, std::min(most, arcs_[a].left));
    if (pushed == 0)
      continue;
    arcs_[a].left -= pushed;
    arcs_[a ^ 1U].left += pushed;
    return pushed;
  }
  return 0;
}

std::int64_t flow_net::greatest(int source, int sink) {
  std::int64_t result = 0;
  while (measure(source, sink)) {
    next_.assign(arcs_of_.size(), 0);
    while (auto pushed = push(source, sink, no_bound))
      result += pushed;
  }
  return result;
}

} // namespace orderly::planning
