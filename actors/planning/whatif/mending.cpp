// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/mending.hpp"

#include "actors/planning/score/shared_n1.hpp"
#include "actors/planning/search/fast.hpp"
#include "actors/planning/search/scan.hpp"

#include <cmath>

namespace orderly::planning {

namespace {

bool has_short_node(const placement& p) {
  for (int n = 0; n < p.node_count(); ++n)
    if (p.facts[at(n)].online && p.states[at(n)].short_of_memory)
      return true;
  return false;
}

/// The steps up to the first after which all is well; nothing if it never is.
std::optional<std::vector<step>> as_far_as_needed(placement p,
                                                  std::vector<step> steps) {
  shared_n1 n1{p};
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto& s = steps[k];
    auto x = try_move(p, s.what, false);
    if (x.why != refusal::none)
      return std::nullopt;
    make_move(p, s.what, x);
    n1.follow(p, s.what.instance, s.from);
    if (n1.uncovered() > 0 || has_short_node(p))
      continue;
    steps.resize(k + 1);
    return steps;
  }
  return std::nullopt;
}

/// The plain descent, up to the first step after which all is well, and at most
/// so many steps. It knows nothing of cover, but mends N+1 in few moves.
std::vector<step> descent(const placement& start, int steps_max) {
  auto p = start;
  shared_n1 n1{p};
  scan all{p};
  auto is_well = false;
  auto best
    = [&](const placement& now, score_board& board, const search_rules& rules) {
        return is_well ? std::nullopt : all.best(now, board, rules);
      };
  search_rules rules;
  rules.max_length = steps_max;
  return balance(p, rules, best,
                 [&](const step& s) {
                   n1.follow(p, s.what.instance, s.from);
                   is_well = n1.uncovered() == 0 && !has_short_node(p);
                 })
    .steps;
}

/// Each node without cover weighs as one that is short of N+1, so that the
/// search mends both. Advice asks for many plans, so none may take long: in a
/// full group of 100 nodes the usual effort is 17 s.
fast_rules mending_rules(std::int64_t effort) {
  fast_rules fast;
  fast.effort_max = effort;
  fast.shared_n1 = shared_n1_use::term;
  return fast;
}

} // namespace

std::optional<std::vector<step>> mending_steps(const placement& p) {
  if (!has_short_node(p) && shared_n1{p}.uncovered() == 0)
    return std::vector<step>{};
  if (!std::isfinite(exact_score(p)))
    return std::nullopt;
  std::optional<std::vector<step>> best;
  auto compare = [&](std::vector<step> steps) {
    auto found = as_far_as_needed(p, std::move(steps));
    if (found && (!best || found->size() < best->size()))
      best = std::move(found);
  };
  auto there = p;
  compare(balance_fast(there, {}, mending_rules(2'000'000)).found.steps);
  // Only a plan of fewer steps is any better.
  compare(descent(p, best ? static_cast<int>(best->size()) - 1 : -1));
  return best;
}

std::vector<step> gathering_steps(const placement& p) {
  if (!std::isfinite(exact_score(p)))
    return {};
  auto there = p;
  return balance_fast(there, {}, mending_rules(500'000)).found.steps;
}

} // namespace orderly::planning
