// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/exact.hpp"

#include "actors/planning/search/scan.hpp"

namespace orderly::planning {

namespace {

bool is_offline(const placement& p, int node) {
  return node >= 0 && !p.facts[at(node)].online;
}

} // namespace

bool is_candidate(const placement& p, int instance, const search_rules& rules) {
  const auto& spec = p.source->instances[at(p.instance_index[at(instance)])];
  auto where = p.places[at(instance)];
  if (!p.instances[at(instance)].movable || !spec.auto_balance)
    return false;
  return !rules.evacuate || is_offline(p, where.primary)
         || is_offline(p, where.secondary);
}

std::vector<move_kind> allowed_kinds(const placement& p, int instance,
                                     const search_rules& rules) {
  using k = move_kind;
  auto where = p.places[at(instance)];
  if (!p.instances[at(instance)].mirrored) {
    if (rules.instance_moves)
      return {k::failover_to};
    return {};
  }
  if (where.secondary < 0)
    return {};
  auto to_secondary = !is_offline(p, where.secondary) && rules.instance_moves;
  std::vector<move_kind> result;
  if (to_secondary)
    result.push_back(k::failover);
  if (!rules.disk_moves)
    return result;
  auto is_read = !p.facts[at(where.primary)].dead;
  if (is_read)
    result.push_back(k::replace_secondary);
  if (!rules.instance_moves)
    return result;
  auto restricted = rules.restricted_migration;
  if (restricted && !is_offline(p, where.primary))
    return result;
  if (is_read)
    result.push_back(k::replace_and_failover);
  if (!to_secondary)
    return result;
  if (!restricted)
    result.push_back(k::replace_primary);
  result.push_back(k::failover_and_replace);
  return result;
}

std::optional<candidate> try_all(const placement& p, score_board& board,
                                 const search_rules& rules) {
  std::optional<candidate> best;
  auto bound = board.score();
  auto consider = [&](const move& m) {
    auto x = try_move(p, m, rules.ignore_soft);
    if (x.why != refusal::none)
      return;
    auto score = board.score_after(p, m, x);
    if (score < bound) {
      bound = score;
      best = candidate{m, score};
    }
  };
  for (int i = 0; i < p.instance_count(); ++i) {
    if (!is_candidate(p, i, rules))
      continue;
    auto kinds = allowed_kinds(p, i, rules);
    for (auto k : kinds)
      if (k == move_kind::failover)
        consider({i, k, -1});
    auto where = p.places[at(i)];
    for (int t = 0; t < p.node_count(); ++t) {
      if (!p.facts[at(t)].online || t == where.primary || t == where.secondary)
        continue;
      for (auto k : kinds)
        if (k != move_kind::failover)
          consider({i, k, t});
    }
  }
  return best;
}

plan balance(placement& p, const search_rules& rules, const best_move& best,
             const std::function<void(const step&)>& on_step) {
  score_board board{p};
  plan result;
  result.initial = result.final = board.score();
  result.lowest = lowest_score(p);
  for (;;) {
    auto made = static_cast<int>(result.steps.size());
    if (rules.max_length >= 0 && made >= rules.max_length)
      break;
    auto score = result.final;
    if (!(score > result.lowest + rules.min_score))
      break;
    auto found = best(p, board, rules);
    if (!found)
      break;
    auto worth
      = score > rules.min_gain_limit || score - found->score >= rules.min_gain;
    if (!worth)
      break;
    const auto& m = found->what;
    auto x = try_move(p, m, rules.ignore_soft);
    step s{m, p.places[at(m.instance)], x.where, found->score};
    make_move(p, m, x);
    board.update(p, x);
    result.final = found->score;
    result.steps.push_back(s);
    if (on_step)
      on_step(s);
  }
  return result;
}

plan balance(placement& p, const search_rules& rules,
             const std::function<void(const step&)>& on_step) {
  scan fast{p};
  auto best
    = [&fast](const placement& now, score_board& board, const search_rules& r) {
        return fast.best(now, board, r);
      };
  return balance(p, rules, best, on_step);
}

} // namespace orderly::planning
