// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/explain.hpp"

#include "actors/planning/search/net_form.hpp"

namespace orderly::planning {

namespace {

const char* word_of(refusal x) {
  switch (x) {
  case refusal::memory:
    return "memory";
  case refusal::disk:
    return "disk";
  case refusal::cpu:
    return "CPUs";
  case refusal::tags:
    return "exclusion tags";
  case refusal::spindles:
    return "spindles";
  case refusal::migration:
    return "migration tags";
  case refusal::storage:
    return "storage pools";
  case refusal::closed:
    return "nodes that are left alone";
  case refusal::out_of_service:
    return "nodes that are out of service";
  case refusal::none:
    break;
  }
  return "nothing";
}

/// Its primary cannot be copied from, and its mirror cannot take over.
bool has_no_copy(const placement& p, int instance) {
  auto where = p.places[at(instance)];
  return p.instances[at(instance)].mirrored && p.facts[at(where.primary)].dead
         && where.secondary >= 0 && !p.facts[at(where.secondary)].online;
}

/// A rule that needs no try; none if there is no such.
std::optional<hold> fixed_hold(const placement& p, int instance,
                               const search_rules& rules) {
  const auto& spec = p.source->instances[at(p.instance_index[at(instance)])];
  if (!can_move(spec.disks))
    return hold::disks;
  if (spec.excluded)
    return hold::excluded;
  if (!p.instances[at(instance)].movable)
    return hold::split;
  if (!spec.auto_balance)
    return hold::unbalanced;
  if (!is_candidate(p, instance, rules))
    return hold::untouched;
  if (allowed_kinds(p, instance, rules).empty())
    return has_no_copy(p, instance) ? hold::no_copy : hold::options;
  return std::nullopt;
}

/// Tries every move of the instance and keeps the best of them.
void try_moves(const placement& p, int instance, const search_rules& rules,
               standing& result) {
  score_board board{p};
  auto consider = [&](const move& m) {
    ++result.tried;
    auto x = try_move(p, m, rules.ignore_soft);
    if (x.why != refusal::none) {
      ++result.refusals[x.why];
      return;
    }
    auto score = board.score_after(p, m, x);
    if (!result.best || score < result.best->score)
      result.best = candidate{m, score};
  };
  auto where = p.places[at(instance)];
  for (auto k : allowed_kinds(p, instance, rules)) {
    if (k == move_kind::failover) {
      consider({instance, k, -1});
      continue;
    }
    for (int t = 0; t < p.node_count(); ++t)
      if (p.facts[at(t)].online && t != where.primary && t != where.secondary)
        consider({instance, k, t});
  }
}

} // namespace

std::vector<term_change> changes(const score_table_lines& before,
                                 const score_table_lines& after) {
  std::vector<term_change> result;
  for (std::size_t k = 0; k < before.size(); ++k) {
    auto a = before[k].value * before[k].weight;
    auto b = after[k].value * after[k].weight;
    if (a != b)
      result.push_back({before[k].name, a, b});
  }
  return result;
}

std::vector<std::vector<term_change>> changes_of(placement p,
                                                 const std::vector<step>& steps,
                                                 const search_rules& rules) {
  std::vector<std::vector<term_change>> result;
  auto before = score_lines(p);
  for (const auto& s : steps) {
    make_move(p, s.what, try_move(p, s.what, rules.ignore_soft));
    auto after = score_lines(p);
    result.push_back(changes(before, after));
    before = after;
  }
  return result;
}

standing standing_of(const placement& p, int instance,
                     const search_rules& rules, double rate) {
  standing result;
  if (auto fixed = fixed_hold(p, instance, rules)) {
    result.why = *fixed;
    return result;
  }
  try_moves(p, instance, rules, result);
  if (!result.best) {
    result.why = hold::refused;
    return result;
  }
  auto before = exact_score(p);
  result.gain = before - result.best->score;
  result.cost = rate * cost_of(p, result.best->what);
  auto moved = p;
  const auto& m = result.best->what;
  make_move(moved, m, try_move(moved, m, rules.ignore_soft));
  result.terms = changes(score_lines(p), score_lines(moved));
  if (!(result.gain > 0))
    result.why = hold::no_gain;
  else if (result.gain <= result.cost)
    result.why = hold::cost;
  else if (before <= rules.min_gain_limit
           && result.gain - result.cost < rules.min_gain)
    result.why = hold::minimum;
  return result;
}

std::string tried_text(const standing& x) {
  auto result = std::to_string(x.tried) + " moves were tried";
  const char* before = ", refused were ";
  for (const auto& [why, count] : x.refusals) {
    result += before + std::to_string(count) + " for " + word_of(why);
    before = ", ";
  }
  return result;
}

} // namespace orderly::planning
