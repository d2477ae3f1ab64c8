// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/net_plan.hpp"

#include "actors/planning/search/fast_field.hpp"

#include <algorithm>
#include <queue>

namespace orderly::planning {

namespace {

struct waiting {
  double worth = 0;
  int instance = -1;

  bool operator<(const waiting& x) const {
    return worth != x.worth ? worth < x.worth : instance > x.instance;
  }
};

class ordering {
public:
  ordering(placement& p, const std::vector<place>& goal,
           const search_rules& rules, const fast_rules& fast)
    : p_(p), goal_(goal), rules_(rules), field_(p, rules, fast) {
    detours_left_ = goal.size();
  }

  void run() {
    for (std::size_t i = 0; i < goal_.size(); ++i)
      if (goal_[i] != p_.places[i])
        queue_.push({worth_of_way(static_cast<int>(i)), static_cast<int>(i)});
    while (!queue_.empty() || !stuck_.empty()) {
      if (queue_.empty() && !open_a_way())
        return;
      while (!queue_.empty())
        go_on();
    }
  }

  std::size_t left() const { return stuck_.size(); }

  const std::vector<step>& steps() const { return field_.steps(); }

private:
  bool is_allowed(const move& m) const {
    if (!is_candidate(p_, m.instance, rules_)
        || (m.target >= 0 && !p_.facts[at(m.target)].online))
      return false;
    auto kinds = allowed_kinds(p_, m.instance, rules_);
    return std::find(kinds.begin(), kinds.end(), m.kind) != kinds.end();
  }

  /// What the first move of the best way gains; nothing if none is open.
  double worth_of_way(int instance) {
    auto way = open_way(instance);
    return way.empty() ? blocked : field_.worth(way.front()).value_or(blocked);
  }

  /// The first way that can be gone to its end now.
  std::vector<move> open_way(int instance) {
    for (auto& way : ways(p_, instance, goal_[at(instance)])) {
      std::size_t made = 0;
      while (made < way.size() && is_allowed(way[made])
             && field_.make(way[made]))
        ++made;
      auto whole = made == way.size();
      for (; made > 0; --made)
        field_.take_back();
      if (whole)
        return way;
    }
    return {};
  }

  void go_on() {
    auto top = queue_.top();
    queue_.pop();
    auto way = open_way(top.instance);
    if (way.empty()) {
      stuck_.push_back(top.instance);
      return;
    }
    auto worth = field_.worth(way.front()).value_or(blocked);
    if (!queue_.empty() && worth < queue_.top().worth - patience(worth)) {
      queue_.push({worth, top.instance});
      return;
    }
    go(way);
  }

  static double patience(double worth) { return 0.02 * std::abs(worth); }

  void go(const std::vector<move>& way) {
    auto from = p_.places[at(way.front().instance)];
    for (const auto& m : way)
      field_.make(m);
    field_.settle();
    wake(from);
  }

  /// What was stuck may go if these nodes were in its way.
  void wake(place left) {
    std::vector<int> still;
    for (auto i : stuck_) {
      auto to = goal_[at(i)];
      auto freed = [&](int n) {
        return n >= 0 && (n == left.primary || n == left.secondary);
      };
      if (freed(to.primary) || freed(to.secondary))
        queue_.push({worth_of_way(i), i});
      else
        still.push_back(i);
    }
    stuck_ = std::move(still);
  }

  /// Everybody waits for somebody: one goes elsewhere for a while.
  bool open_a_way() {
    auto all = std::move(stuck_);
    stuck_.clear();
    // Wishes may have been refused that other moves have since granted.
    for (auto i : all)
      if (!open_way(i).empty())
        queue_.push({worth_of_way(i), i});
      else
        stuck_.push_back(i);
    if (!queue_.empty())
      return true;
    for (auto i : all) {
      if (detours_left_ == 0)
        return false;
      --detours_left_;
      if (step_aside(i, all))
        return true;
    }
    return false;
  }

  /// Moves the instance to where it is out of the way of another one.
  bool step_aside(int instance, const std::vector<int>& all) {
    constexpr std::size_t tried = 12;
    for (const auto& m : field_.best_of(instance, tried).promising) {
      if (!field_.make(m))
        continue;
      auto helps = std::any_of(all.begin(), all.end(), [&](int i) {
        return i != instance && !open_way(i).empty();
      });
      if (helps
          && (goal_[at(instance)] == p_.places[at(instance)]
              || !ways(p_, instance, goal_[at(instance)]).empty())) {
        field_.settle();
        stuck_.clear();
        for (auto i : all)
          queue_.push({worth_of_way(i), i});
        return true;
      }
      field_.take_back();
    }
    return false;
  }

  static constexpr double blocked = -1e9;

  placement& p_;
  const std::vector<place>& goal_;
  const search_rules& rules_;
  fast_field field_;
  std::priority_queue<waiting> queue_;
  std::vector<int> stuck_;
  std::size_t detours_left_;
};

} // namespace

net_steps net_plan(placement p, const std::vector<place>& goal,
                   const search_rules& rules, const fast_rules& fast) {
  ordering o{p, goal, rules, fast};
  o.run();
  return {o.steps(), o.left()};
}

} // namespace orderly::planning
