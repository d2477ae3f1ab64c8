// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/better.hpp"

#include "actors/planning/score/shared_n1.hpp"
#include "actors/planning/search/net_form.hpp"
#include "actors/planning/search/scan.hpp"

namespace orderly::planning {

namespace {

/// Scores that differ by rounding only are equal.
constexpr double no_gain = 1e-9;

/// How many moves one step of the exact search looks at.
std::int64_t effort_of_step(const placement& p, const search_rules& rules) {
  std::int64_t online = 0;
  for (const auto& f : p.facts)
    online += f.online ? 1 : 0;
  std::int64_t result = 0;
  for (int i = 0; i < p.instance_count(); ++i)
    if (is_candidate(p, i, rules))
      result += online
                * static_cast<std::int64_t>(allowed_kinds(p, i, rules).size());
  return result;
}

std::size_t net_moves(const placement& before, const placement& after) {
  std::size_t result = 0;
  for (std::size_t i = 0; i < before.places.size(); ++i)
    result += before.places[i] == after.places[i] ? 0 : 1;
  return result;
}

/// Does any step uncover a node, where the rules forbid that?
bool breaks_shared_n1(placement p, const std::vector<step>& steps,
                      const search_rules& rules, const fast_rules& fast) {
  if (fast.shared_n1 != shared_n1_use::constraint)
    return false;
  shared_n1 n1{p};
  if (!n1.concerned())
    return false;
  for (const auto& s : steps) {
    make_move(p, s.what, try_move(p, s.what, rules.ignore_soft));
    if (n1.follow(p, s.what.instance, s.from))
      return true;
  }
  return false;
}

double cost_of_steps(placement p, const std::vector<step>& steps,
                     const search_rules& rules) {
  double result = 0;
  for (const auto& s : steps) {
    result += cost_of(p, s.what);
    make_move(p, s.what, try_move(p, s.what, rules.ignore_soft));
  }
  return result;
}

} // namespace

plan balance_within(placement& p, const search_rules& rules,
                    std::int64_t& effort,
                    const std::function<bool()>& is_over) {
  scan all{p};
  auto best = [&](const placement& now, score_board& board,
                  const search_rules& r) -> std::optional<candidate> {
    auto step = effort_of_step(now, r);
    if (step > effort || (is_over && is_over()))
      return std::nullopt;
    effort -= step;
    return all.best(now, board, r);
  };
  return balance(p, rules, best);
}

better_plan balance_better(placement& p, const search_rules& rules,
                           const better_rules& how) {
  better_plan result;
  auto before = p;
  result.plan = balance_fast(p, rules, how.fast);
  auto other = before;
  auto effort = how.exact_effort_max;
  auto exact = balance_within(other, rules, effort, how.fast.is_over);
  auto gain = result.plan.found.final - exact.final;
  auto fewer = net_moves(before, other) < net_moves(before, p);
  auto wins = gain > no_gain || (gain > -no_gain && fewer);
  if (!wins || breaks_shared_n1(before, exact.steps, rules, how.fast))
    return result;
  result.by_exact = true;
  result.plan.cost = cost_of_steps(before, exact.steps, rules);
  result.plan.moves_made = exact.steps.size();
  result.plan.found = std::move(exact);
  result.plan.compact = false;
  p = std::move(other);
  return result;
}

} // namespace orderly::planning
