// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/roll_bound.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

/// Pairs of nodes that cannot be down together.
class conflicts {
public:
  conflicts(const round_room& room, const std::vector<int>& nodes)
    : places_(at(room.node_count()), -1), rows_(nodes.size()) {
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      places_[at(nodes[k])] = static_cast<int>(k);
      rows_[k].resize(nodes.size());
    }
    for (auto n : nodes)
      for (auto m : room.rivals(n))
        join(n, m);
    for (int t = 0; t < room.node_count(); ++t)
      for (const auto& a : room.sources(t))
        for (const auto& b : room.sources(t))
          if (a.node != b.node && a.memory + b.memory > room.room(t))
            join(a.node, b.node);
  }

  /// The largest clique that a greedy walk from each node finds.
  int clique() const {
    auto result = std::size_t{0};
    for (std::size_t k = 0; k < rows_.size(); ++k)
      result = std::max(result, clique_from(k));
    return static_cast<int>(result);
  }

private:
  void join(int a, int b) {
    auto x = places_[at(a)];
    auto y = places_[at(b)];
    if (x >= 0 && y >= 0 && x != y)
      rows_[at(x)][at(y)] = rows_[at(y)][at(x)] = true;
  }

  std::size_t clique_from(std::size_t first) const {
    std::vector<std::size_t> open;
    for (std::size_t k = 0; k < rows_.size(); ++k)
      if (rows_[first][k])
        open.push_back(k);
    std::size_t size = 1;
    while (!open.empty()) {
      auto degree = [&](std::size_t x) {
        return std::count_if(open.begin(), open.end(),
                             [&](std::size_t y) { return rows_[x][y]; });
      };
      auto next = open.front();
      auto most = degree(next);
      for (auto x : open)
        if (auto d = degree(x); d > most) {
          next = x;
          most = d;
        }
      open.erase(std::remove_if(open.begin(), open.end(),
                                [&](auto x) { return !rows_[next][x]; }),
                 open.end());
      ++size;
    }
    return size;
  }

  std::vector<int> places_;
  std::vector<std::vector<bool>> rows_;
};

int divided_up(mib x, mib by) {
  return static_cast<int>((x + by - 1) / by);
}

/// What comes to the mirrors on one node comes in parts that fit, none of them
/// in the node's own round.
int rounds_of_mirrors(const round_room& room, int node,
                      const std::vector<bool>& wanted) {
  mib all = 0;
  for (const auto& s : room.sources(node))
    all += wanted[at(s.node)] ? s.memory : 0;
  if (all == 0 || room.room(node) <= 0)
    return 0;
  return divided_up(all, room.room(node)) + (wanted[at(node)] ? 1 : 0);
}

/// All that leaves the nodes of a group, over all rounds, and the room that is
/// down with them, is no more than each round's room together.
int rounds_of_group(const round_room& room, int group,
                    const std::vector<bool>& wanted) {
  mib whole = 0;
  mib used = 0;
  for (int n = 0; n < room.node_count(); ++n) {
    if (room.group(n) != group || !room.is_online(n))
      continue;
    auto free = std::max<mib>(0, room.room(n));
    whole += free;
    if (!wanted[at(n)])
      continue;
    used += free + room.shared_memory(n);
    for (const auto& d : room.demands(n))
      if (room.group(d.node) == group)
        used += d.memory;
  }
  return whole > 0 ? divided_up(used, whole) : 0;
}

} // namespace

roll_bound bound_of(const round_room& room, const std::vector<int>& nodes) {
  roll_bound result;
  result.clique = conflicts{room, nodes}.clique();
  std::vector<bool> wanted(at(room.node_count()));
  for (auto n : nodes)
    wanted[at(n)] = true;
  result.capacity = nodes.empty() ? 0 : 1;
  for (int n = 0; n < room.node_count(); ++n)
    result.capacity
      = std::max(result.capacity, rounds_of_mirrors(room, n, wanted));
  for (int g = 0; g < room.group_count(); ++g)
    result.capacity
      = std::max(result.capacity, rounds_of_group(room, g, wanted));
  return result;
}

} // namespace orderly::planning
