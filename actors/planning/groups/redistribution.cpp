// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/redistribution.hpp"

#include "actors/planning/groups/arrivals.hpp"
#include "actors/planning/groups/crossed_steps.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

/// Moves inside other groups that may make room for one.
constexpr int moves_for_one = 3;

/// Rounds in which more are found that should leave.
constexpr int most_rounds = 8;

/// Sets of up to so many are tried if the quick ones do not do, or cost more.
constexpr std::size_t largest_set = 3;

/// A plan for a group takes so many steps of effort for each instance in it.
constexpr std::int64_t effort_of_instance = 40;

class healer {
public:
  healer(const cluster& c, int group, const build_options& build,
         std::int64_t effort)
    : c_(c),
      group_(group),
      build_(build),
      cuts_(c),
      map_(c, {group_moves::repair, crossing_cause::repair}),
      inside_(c, cuts_, group, build) {
    auto there = static_cast<std::int64_t>(cuts_.instances_of(group).size());
    most_plans_
      = static_cast<int>(effort / (effort_of_instance * (there * there + 1)));
    for (auto g : order_of_targets())
      targets_.push_back(g);
  }

  bool run(healed_group& x, std::vector<step>& steps) {
    if (consider({}))
      return take(x, steps);
    if (auto pinned = who_is_pinned(); !pinned.empty()) {
      x.pinned = std::move(pinned);
      return false;
    }
    auto leaving = who_leaves({});
    if (leaving && !consider(*leaving))
      retry(*leaving);
    if (leaving && best_)
      thin_out();
    try_sets();
    if (best_)
      return take(x, steps);
    note_lacks(x, leaving);
    return false;
  }

private:
  struct solution {
    std::set<int> gone;
    double cost = 0;
    std::vector<step> crossings;
  };

  /// Healthy groups first, then those with the most free memory.
  std::vector<int> order_of_targets() const {
    std::vector<std::tuple<bool, alloc_policy, mib, int>> keys;
    for (const auto& g : report_groups(c_, build_))
      if (g.group != group_
          && c_.groups[at(g.group)].allocation != alloc_policy::unallocable)
        keys.emplace_back(g.health() != group_health::healthy,
                          c_.groups[at(g.group)].allocation,
                          -g.room.free_memory, g.group);
    std::sort(keys.begin(), keys.end());
    std::vector<int> result;
    for (const auto& key : keys)
      result.push_back(std::get<int>(key));
    return result;
  }

  double cost_of(const std::set<int>& gone) const {
    auto result = 0.0;
    for (auto i : gone)
      result += crossing_cost(c_.instances[at(i)]);
    return result;
  }

  bool may_leave(int i) const {
    return std::any_of(targets_.begin(), targets_.end(),
                       [&](int g) { return map_.may_enter(i, g); });
  }

  /// Of those who would have to leave, who cannot, whatever others have.
  std::vector<stuck_instance> who_is_pinned() {
    std::vector<stuck_instance> result;
    for (const auto& s : inside_.without({}).stuck)
      if (s.kind != stuck_kind::no_room && s.kind != stuck_kind::storage)
        result.push_back(s);
    return result;
  }

  /// Until the group is well without them; nothing if it cannot be.
  std::optional<std::set<int>> who_leaves(const std::set<int>& kept) {
    std::set<int> gone;
    for (int k = 0; k < most_rounds; ++k) {
      if (inside_.without(gone).is_well)
        return gone;
      auto more = inside_.more_to_leave(gone, map_, kept);
      if (more.empty())
        return std::nullopt;
      gone.insert(more.begin(), more.end());
    }
    return std::nullopt;
  }

  /// Others leave in the place of those whom nobody takes.
  void retry(const std::set<int>& first) {
    std::set<int> kept;
    auto gone = first;
    for (int k = 0; k < most_rounds && !best_; ++k) {
      auto before = kept.size();
      for (auto i : not_taken_)
        kept.insert(i);
      if (kept.size() == before)
        return;
      auto next = who_leaves(kept);
      if (!next)
        return;
      consider(*next);
    }
  }

  /// Who need not leave after all stays.
  void thin_out() {
    for (auto i : std::set<int>{best_->gone}) {
      auto fewer = best_->gone;
      fewer.erase(i);
      consider(fewer);
    }
  }

  bool has_effort() const { return inside_.plans() < most_plans_; }

  /// Small sets, the cheapest first, while that may gain anything.
  void try_sets() {
    std::vector<std::pair<double, int>> who;
    for (auto i : cuts_.instances_of(group_))
      if (may_leave(i))
        who.emplace_back(crossing_cost(c_.instances[at(i)]), i);
    std::sort(who.begin(), who.end());
    for (std::size_t size = 1; size <= largest_set; ++size)
      add_to_set({}, who, 0, size);
  }

  void add_to_set(const std::set<int>& gone,
                  const std::vector<std::pair<double, int>>& who,
                  std::size_t from, std::size_t more) {
    if (more == 0) {
      consider(gone);
      return;
    }
    for (auto k = from; k < who.size() && has_effort(); ++k) {
      auto next = gone;
      next.insert(who[k].second);
      add_to_set(next, who, k + 1, more - 1);
    }
  }

  /// Is this set the best so far? It must heal the group, and find room.
  bool consider(const std::set<int>& gone) {
    auto cost = cost_of(gone);
    if (best_ && best_->cost <= cost)
      return false;
    if (!inside_.without(gone).is_well)
      return false;
    if (gone.empty()) {
      best_ = solution{};
      return true;
    }
    arrival_question q{c_,      map_, cuts_, build_, {gone.begin(), gone.end()},
                       targets_};
    for (auto how : {fit::roomy, fit::tight}) {
      arrivals a{q};
      a.place_all(how);
      auto effort = std::int64_t{100'000};
      a.make_room(moves_for_one, effort);
      not_taken_ = a.left();
      if (!a.left().empty() || !arrivals::are_safe(q, a.steps()))
        continue;
      best_ = solution{gone, cost, a.steps()};
      return true;
    }
    return false;
  }

  bool take(healed_group& x, std::vector<step>& steps) {
    x.is_healed = true;
    x.crossings = static_cast<int>(best_->gone.size());
    x.cost = best_->cost;
    steps = best_->crossings;
    const auto& inside = inside_.without(best_->gone).steps;
    steps.insert(steps.end(), inside.begin(), inside.end());
    return true;
  }

  void note_lacks(healed_group& x,
                  const std::optional<std::set<int>>& leaving) {
    if (!leaving)
      return;
    arrival_question q{
      c_, map_, cuts_, build_, {leaving->begin(), leaving->end()}, targets_};
    arrivals a{q};
    a.place_all(fit::tight);
    std::map<std::optional<storage_pool>, mib> lacks;
    for (auto i : a.left())
      lacks[pool_of(c_, c_.instances[at(i)])] += c_.instances[at(i)].memory;
    for (const auto& [pool, memory] : lacks)
      x.lacks.push_back({pool, memory});
  }

  const cluster& c_;
  int group_;
  build_options build_;
  group_cuts cuts_;
  crossing_map map_;
  group_healing inside_;
  std::vector<int> targets_;
  int most_plans_ = 0;
  std::optional<solution> best_;
  std::vector<int> not_taken_; ///< of the set that was considered last
};

/// Unhealthy groups, then weakly unhealthy ones.
std::vector<group_report> sick_first(std::vector<group_report> all) {
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const group_report& g) {
                             return g.health() == group_health::healthy;
                           }),
            all.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const group_report& a, const group_report& b) {
                     return a.health() > b.health();
                   });
  return all;
}

void number_rounds(redistribution& r, const cluster& c) {
  r.rounds = levels_of(r.steps);
  r.moved = traffic_of(c, moves_of_crossings(c, r.steps));
}

} // namespace

bool redistribution::is_reached() const {
  return end == redistribution_end::all_healthy
         || (end == redistribution_end::done
             && std::all_of(groups.begin(), groups.end(),
                            [](const healed_group& g) { return g.is_healed; }));
}

redistribution redistribute(const cluster& c, group_moves allowed,
                            const build_options& build, std::int64_t effort) {
  redistribution r;
  r.now = c;
  auto all = report_groups(c, build);
  auto with_nodes
    = std::count_if(all.begin(), all.end(),
                    [](const group_report& g) { return g.state.nodes > 0; });
  auto healthy = std::count_if(all.begin(), all.end(), [](const auto& g) {
    return g.state.nodes > 0 && g.health() == group_health::healthy;
  });
  auto sick = sick_first(std::move(all));
  for (const auto& g : sick)
    r.groups.push_back({g.group, g.health(), false, 0, 0, {}, {}});
  if (sick.empty() || with_nodes == 0)
    r.end = redistribution_end::all_healthy;
  else if (!permits(allowed, crossing_cause::repair))
    r.end = redistribution_end::forbidden;
  else if (healthy == 0)
    r.end = redistribution_end::none_healthy;
  if (r.end != redistribution_end::done)
    return r;
  for (auto& x : r.groups) {
    std::vector<step> steps;
    if (!healer{r.now, x.group, build, effort}.run(x, steps))
      continue;
    r.steps.insert(r.steps.end(), steps.begin(), steps.end());
    auto after = crossed_cluster(r.now, steps);
    r.now = std::move(after);
  }
  number_rounds(r, c);
  return r;
}

} // namespace orderly::planning
