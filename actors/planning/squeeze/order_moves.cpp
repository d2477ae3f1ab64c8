// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/squeeze/order_moves.hpp"

#include "actors/planning/moves/trial.hpp"
#include "actors/planning/score/shared_n1.hpp"
#include "actors/planning/search/net_plan.hpp"

namespace orderly::planning {

namespace {

/// Makes the move unless a limit or the cover of a node is in its way.
bool go(placement& p, trial& t, shared_n1& n1, const move& m) {
  auto from = p.places[at(m.instance)];
  auto x = try_move(p, m, false);
  if (x.why != refusal::none)
    return false;
  t.make(m, x);
  if (!n1.follow(p, m.instance, from))
    return true;
  auto back = p.places[at(m.instance)];
  t.undo(t.size() - 1);
  n1.follow(p, m.instance, back);
  return false;
}

} // namespace

ordered_moves order_moves(placement p, const std::vector<place>& goal) {
  ordered_moves result;
  shared_n1 n1{p};
  trial t{p};
  std::vector<int> waiting;
  for (int i = 0; i < p.instance_count(); ++i)
    if (p.places[at(i)] != goal[at(i)])
      waiting.push_back(i);
  // Who waits for room is asked again when a round has made some.
  for (auto is_moving = true; is_moving && !waiting.empty();) {
    std::vector<int> still;
    for (auto i : waiting) {
      auto from = p.places[at(i)];
      move m{i, move_kind::failover_to, goal[at(i)].primary};
      if (go(p, t, n1, m))
        result.steps.push_back({m, from, goal[at(i)], 0});
      else
        still.push_back(i);
    }
    is_moving = still.size() < waiting.size();
    waiting = std::move(still);
  }
  t.keep();
  if (waiting.empty())
    return result;
  // Those that wait for each other take detours.
  search_rules any;
  fast_rules fast;
  auto rest = net_plan(p, goal, any, fast);
  result.steps.insert(result.steps.end(), rest.steps.begin(), rest.steps.end());
  result.whole = rest.left == 0;
  return result;
}

} // namespace orderly::planning
