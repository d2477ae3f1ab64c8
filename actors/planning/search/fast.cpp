// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/fast.hpp"

#include "actors/planning/search/fast_field.hpp"
#include "actors/planning/search/fast_pairs.hpp"
#include "actors/planning/search/net_plan.hpp"

#include <algorithm>
#include <queue>

namespace orderly::planning {

namespace {

struct promise {
  double worth = 0;
  int instance = -1;

  bool operator<(const promise& x) const {
    return worth != x.worth ? worth < x.worth : instance > x.instance;
  }
};

class search {
public:
  search(placement& p, const search_rules& rules, const fast_rules& fast)
    : p_(p),
      rules_(rules),
      fast_(fast),
      field_(p, rules, fast),
      goal_(lowest_score(p) + rules.min_score) {}

  /// Whatever gains goes at once: a fair plan soon, but one that costs more.
  void hurry() {
    for (int i = 0; i < p_.instance_count(); ++i) {
      if (i % 16 == 0 && is_done())
        return;
      auto x = best_of(i, false);
      if (is_enough(x.worth))
        commit(x);
    }
  }

  void run() {
    for (auto pairs : {false, true})
      while (!is_done()) {
        // A pass that hardly helps would be followed by more of the kind.
        auto before = field_.score() + field_.burden();
        pass(pairs);
        auto gained = before - field_.score() - field_.burden();
        if (gained <= little * field_.score())
          break;
      }
  }

  bool cut() const { return cut_; }

  const fast_field& field() const { return field_; }

private:
  bool is_done() {
    cut_ = cut_ || field_.effort() > fast_.effort_max
           || (fast_.is_over && fast_.is_over());
    return cut_ || !(field_.score() > goal_);
  }

  /// Is it enough for a step? `worth` counts costs, the gain does not.
  bool is_enough(double worth) const {
    auto least
      = field_.score() > rules_.min_gain_limit ? least_gain : rules_.min_gain;
    return worth >= least;
  }

  action best_of(int instance, bool pairs) {
    return pairs ? best_action(field_, instance)
                 : single_action(field_, instance);
  }

  /// Asks everybody once, then takes the best of what was promised until
  /// nothing is left of it.
  void pass(bool pairs) {
    field_.refresh();
    std::priority_queue<promise> queue;
    for (int i = 0; i < p_.instance_count(); ++i) {
      if (i % 16 == 0 && is_done())
        break;
      auto x = best_of(i, pairs);
      if (is_enough(x.worth))
        queue.push({x.worth, i});
    }
    while (!queue.empty() && !is_done()) {
      auto top = queue.top();
      queue.pop();
      auto x = best_of(top.instance, pairs);
      if (!is_enough(x.worth))
        continue;
      // The others' promises are old too: near enough is good enough.
      if (!queue.empty() && x.worth < near_enough * queue.top().worth) {
        queue.push({x.worth, top.instance});
        continue;
      }
      if (!commit(x))
        continue;
      x = best_of(top.instance, pairs);
      if (is_enough(x.worth))
        queue.push({x.worth, top.instance});
    }
  }

  /// All of it or nothing.
  bool commit(const action& x) {
    for (std::size_t k = 0; k < x.count; ++k)
      if (!field_.make(x.moves[k])) {
        for (; k > 0; --k)
          field_.take_back();
        return false;
      }
    field_.settle();
    if (fast_.on_progress)
      fast_.on_progress({field_.score(), field_.net_moves()});
    return true;
  }

  static constexpr double near_enough = 0.75;
  static constexpr double little = 1e-3;
  static constexpr double least_gain = 1e-9;

  placement& p_;
  const search_rules& rules_;
  const fast_rules& fast_;
  fast_field field_;
  double goal_;
  bool cut_ = false;
};

/// What is lost in rounding.
constexpr double little = 1e-9;

/// Makes the steps on `p` and says what each scores.
void score_steps(placement& p, std::vector<step>& steps,
                 const search_rules& rules) {
  score_board board{p};
  for (auto& s : steps) {
    auto x = try_move(p, s.what, rules.ignore_soft);
    make_move(p, s.what, x);
    board.update(p, x);
    s.score = board.score();
  }
}

double score_at_end(const std::vector<step>& steps, double initial) {
  return steps.empty() ? initial : steps.back().score;
}

/// Cuts steps to what the rules allow and to where they score best: what is
/// cut anywhere may end with a step down the wrong way.
void trim(placement p, std::vector<step>& steps, const search_rules& rules,
          double initial) {
  if (rules.max_length >= 0)
    steps.resize(
      std::min(steps.size(), static_cast<std::size_t>(rules.max_length)));
  score_steps(p, steps, rules);
  auto best = std::min_element(
    steps.begin(), steps.end(),
    [](const step& a, const step& b) { return a.score < b.score; });
  if (best == steps.end() || !(best->score < initial))
    steps.clear();
  else
    steps.erase(best + 1, steps.end());
}

/// Puts in order what was found and moves on `p`.
fast_plan plan_of(placement& p, const placement& tried, const search& s,
                  const search_rules& rules, const fast_rules& fast) {
  fast_plan result;
  result.found.initial = result.found.final = exact_score(p);
  result.found.lowest = lowest_score(p);
  result.cut = s.cut();
  result.moves_made = s.field().steps().size();
  result.effort = s.field().effort();
  auto net = net_plan(p, tried.places, rules, fast).steps;
  auto made = s.field().steps();
  trim(p, net, rules, result.found.initial);
  // Most often all of it could be put in order.
  auto best = score_at_end(net, result.found.initial);
  result.compact = best <= exact_score(tried) + little;
  if (!result.compact) {
    trim(p, made, rules, result.found.initial);
    result.compact = best <= score_at_end(made, result.found.initial);
  }
  auto& steps = result.found.steps;
  steps = result.compact ? std::move(net) : std::move(made);
  score_steps(p, steps, rules);
  if (!steps.empty())
    result.found.final = steps.back().score;
  for (const auto& x : steps)
    result.cost += cost_of(p, x.what);
  return result;
}

fast_plan search_patiently(placement& p, const search_rules& rules,
                           const fast_rules& fast) {
  auto tried = p;
  search s{tried, rules, fast};
  s.run();
  return plan_of(p, tried, s, rules, fast);
}

fast_plan search_hurriedly(placement& p, const search_rules& rules,
                           const fast_rules& fast) {
  auto tried = p;
  search s{tried, rules, fast};
  s.hurry();
  return plan_of(p, tried, s, rules, fast);
}

} // namespace

fast_plan balance_fast(placement& p, const search_rules& rules,
                       const fast_rules& fast) {
  if (!fast.is_over)
    return search_patiently(p, rules, fast);
  // Under a deadline a fair plan comes first; a better one if there is time.
  auto aside = p;
  auto fair = search_hurriedly(aside, rules, fast);
  auto good = p;
  auto result = search_patiently(good, rules, fast);
  auto rate = cost_rate_of(p, fast);
  auto worth
    = [rate](const fast_plan& x) { return x.found.final + rate * x.cost; };
  fair.cut = result.cut;
  auto better = worth(result) <= worth(fair);
  p = better ? std::move(good) : std::move(aside);
  return better ? result : fair;
}

} // namespace orderly::planning
