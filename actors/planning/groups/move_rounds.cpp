// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/move_rounds.hpp"

#include "actors/planning/search/job_sets.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace orderly::planning {

namespace {

std::vector<int> nodes_of(const step& s) {
  std::vector<int> result;
  for (auto n :
       {s.from.primary, s.from.secondary, s.to.primary, s.to.secondary})
    if (n >= 0)
      result.push_back(n);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// Which step has which round at a node.
using row = std::map<int, std::size_t>;

int first_free(const row& x) {
  int result = 0;
  for (const auto& [round, s] : x) {
    if (round != result)
      break;
    ++result;
  }
  return result;
}

class colouring {
public:
  explicit colouring(const std::vector<step>& steps)
    : steps_(steps), of_(steps.size(), -1) {
    // nop
  }

  std::vector<int> run() {
    std::vector<std::size_t> simple;
    for (std::size_t k = 0; k < steps_.size(); ++k)
      if (nodes_of(steps_[k]).size() == 2)
        simple.push_back(k);
    // Exchanges along a path work while all steps have two ends.
    if (simple.size() == steps_.size())
      for (auto k : simple)
        colour_pair(k);
    else
      for (std::size_t k = 0; k < steps_.size(); ++k)
        take(k, first_free_of_all(k));
    return of_;
  }

private:
  void take(std::size_t k, int round) {
    of_[k] = round;
    for (auto n : nodes_of(steps_[k]))
      at_[n][round] = k;
  }

  int first_free_of_all(std::size_t k) {
    int round = 0;
    auto is_busy = [&](int n) { return at_[n].count(round) > 0; };
    auto nodes = nodes_of(steps_[k]);
    while (std::any_of(nodes.begin(), nodes.end(), is_busy))
      ++round;
    return round;
  }

  void colour_pair(std::size_t k) {
    auto from = steps_[k].from.primary;
    auto to = steps_[k].to.primary;
    auto a = first_free(at_[from]);
    auto b = first_free(at_[to]);
    if (at_[to].count(a) > 0 && at_[from].count(b) == 0)
      a = b;
    else if (at_[to].count(a) > 0)
      exchange(to, a, b);
    take(k, a);
  }

  /// On the path from the node whose steps have a, b, a, ... both change
  /// places, so that a is free there. Steps go from some nodes to others, so
  /// it never ends at the other end of the step that is coloured.
  void exchange(int node, int a, int b) {
    std::vector<std::size_t> path;
    auto round = a;
    for (auto found = at_[node].find(round); found != at_[node].end();
         found = at_[node].find(round)) {
      auto k = found->second;
      path.push_back(k);
      const auto& s = steps_[k];
      node = s.from.primary == node ? s.to.primary : s.from.primary;
      round = round == a ? b : a;
    }
    for (auto k : path)
      for (auto n : nodes_of(steps_[k]))
        at_[n].erase(of_[k]);
    for (auto k : path)
      take(k, of_[k] == a ? b : a);
  }

  const std::vector<step>& steps_;
  std::vector<int> of_;
  std::map<int, row> at_; ///< of each node
};

} // namespace

namespace {

move_rounds counted(const std::vector<step>& steps, std::vector<int> of) {
  move_rounds result;
  result.of = std::move(of);
  for (auto r : result.of)
    result.count = std::max(result.count, r + 1);
  std::map<int, int> moves;
  for (const auto& s : steps)
    for (auto n : nodes_of(s))
      result.most_moves = std::max(result.most_moves, ++moves[n]);
  return result;
}

} // namespace

move_rounds rounds_of(const std::vector<step>& steps) {
  return counted(steps, colouring{steps}.run());
}

move_rounds levels_of(const std::vector<step>& steps) {
  std::vector<int> of(steps.size(), 0);
  int wave = 0;
  for (const auto& set : job_waves(steps)) {
    for (auto k : set)
      of[k] = wave;
    ++wave;
  }
  return counted(steps, std::move(of));
}

void sort_by_rounds(std::vector<step>& steps, move_rounds& rounds) {
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return rounds.of[a] < rounds.of[b]; });
  auto old = steps;
  auto of = rounds.of;
  for (std::size_t k = 0; k < order.size(); ++k) {
    steps[k] = old[order[k]];
    rounds.of[k] = of[order[k]];
  }
}

} // namespace orderly::planning
