// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/balance_groups.hpp"

#include "actors/planning/search/job_sets.hpp"
#include "actors/planning/search/net_form.hpp"

#include <algorithm>
#include <cmath>

namespace orderly::planning {

namespace {

/// The rest of the time is for the order of what was found.
constexpr double part_to_search = 0.8;

/// Halves of pairs and detours make things worse before they get better.
void end_before_losses(balanced_group& x) {
  auto& found = x.plan.found;
  auto here = x.before;
  auto score = found.initial;
  auto cost = 0.0;
  auto s = found.steps.begin();
  for (; s != found.steps.end(); ++s) {
    auto gain = score - s->score;
    auto low = score < x.rules.min_gain_limit;
    auto done = try_move(here, s->what, x.rules.ignore_soft);
    if (gain <= 0 || (low && gain < x.rules.min_gain)
        || done.why != refusal::none)
      break;
    cost += cost_of(here, s->what);
    make_move(here, s->what, done);
    score = s->score;
  }
  if (s == found.steps.end())
    return;
  found.steps.erase(s, found.steps.end());
  found.final = score;
  x.plan.cost = cost;
  x.after = std::move(here);
}

class rounds {
public:
  rounds(const cluster& c, const group_rules& rules)
    : c_(c),
      rules_(rules),
      steps_left_(rules.steps_max),
      effort_left_(rules.effort_max) {
    // nop
  }

  std::vector<balanced_group> run() {
    std::vector<balanced_group> result;
    auto count = static_cast<int>(c_.groups.size());
    for (int g = 0; g < count; ++g)
      result.push_back(plan(g, count - g));
    return result;
  }

private:
  balanced_group plan(int group, int groups_left) {
    auto here = placed(group);
    balanced_group x{group, here, here, rules_for(groups_left),
                     0,     {},   true, {}};
    auto score = exact_score(here);
    x.plan.found.initial = x.plan.found.final = score;
    x.scored = std::isfinite(score);
    if (!x.scored)
      return x;
    auto fast = bounds_for(groups_left);
    x.rate = cost_rate_of(here, fast);
    x.plan = balance_fast(x.after, x.rules, fast);
    if (rules_.each_gains)
      end_before_losses(x);
    auto& steps = x.plan.found.steps;
    if (steps_left_ >= 0)
      steps_left_ -= static_cast<int>(steps.size());
    effort_left_ -= std::min(effort_left_, x.plan.effort);
    x.waves.resize(steps.size());
    std::uint32_t wave = 0;
    for (const auto& set : job_waves(steps)) {
      for (auto k : set)
        x.waves[k] = wave;
      ++wave;
    }
    return x;
  }

  placement placed(int group) const {
    placement p{c_, group, {}};
    for (int n = 0; n < p.node_count(); ++n)
      p.facts[at(n)].closed = rules_.closed[at(p.node_index[at(n)])];
    return p;
  }

  search_rules rules_for(int groups_left) const {
    search_rules r;
    r.disk_moves = rules_.disk_moves;
    r.min_gain = rules_.threshold;
    r.min_gain_limit = 10 * rules_.threshold;
    if (steps_left_ >= 0)
      r.max_length = (steps_left_ + groups_left - 1) / groups_left;
    return r;
  }

  fast_rules bounds_for(int groups_left) const {
    fast_rules f;
    f.move_cost = rules_.move_cost;
    f.effort_max = effort_left_ / groups_left;
    if (!rules_.left)
      return f;
    auto now = rules_.left();
    auto end = now - part_to_search * now / groups_left;
    f.is_over = [this, end] { return rules_.left() <= end; };
    return f;
  }

  const cluster& c_;
  const group_rules& rules_;
  int steps_left_;
  std::int64_t effort_left_;
};

} // namespace

std::vector<balanced_group> balance_groups(const cluster& c,
                                           const group_rules& rules) {
  return rounds{c, rules}.run();
}

} // namespace orderly::planning
