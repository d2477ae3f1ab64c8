// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/group_healing.hpp"

#include "actors/planning/groups/crossed_steps.hpp"
#include "actors/planning/search/net_form.hpp"
#include "actors/planning/whatif/judge.hpp"
#include "actors/planning/whatif/remedy.hpp"

#include <algorithm>
#include <functional>

namespace orderly::planning {

namespace {

mib missing(const group_state& x) {
  mib result = 0;
  for (const auto* all : {&x.short_of, &x.uncovered})
    for (const auto& lack : *all)
      result += lack.missing;
  return result;
}

bool has(const std::vector<node_lack>& all, int node) {
  return std::any_of(all.begin(), all.end(),
                     [node](const node_lack& x) { return x.node == node; });
}

/// The planner of changes, of a cluster in which nothing has changed.
changed_cluster unchanged(cluster c) {
  changed_cluster x;
  x.is_lost.assign(c.nodes.size(), false);
  x.is_drained.assign(c.nodes.size(), false);
  x.is_emptied.assign(c.groups.size(), false);
  x.now = std::move(c);
  return x;
}

/// The instance goes away.
cluster taken_out(cluster c, int instance) {
  auto gone = crossed_cluster(
    c, {{{instance, move_kind::failover_to, -1}, {}, {-1, -1}, 0}});
  gone.instances.erase(gone.instances.begin() + instance);
  return gone;
}

/// Takes instances out of a group until it has N+1 and cover, each time the one
/// that mends most for what it costs.
class thinning {
public:
  thinning(cluster now, std::vector<int> numbers, int group,
           const build_options& build, std::function<bool(int)> stays)
    : now_(std::move(now)),
      numbers_(std::move(numbers)),
      group_(group),
      build_(build),
      stays_(std::move(stays)),
      state_(look(now_)) {
    // nop
  }

  /// None if nobody helps.
  std::set<int> run() {
    std::set<int> result;
    while (!state_.is_well()) {
      // Mirrors on nodes that lack something come before primaries there.
      auto best = find(true);
      if (best < 0)
        best = find(false);
      if (best < 0)
        return {};
      result.insert(numbers_[at(best)]);
      now_ = taken_out(std::move(now_), best);
      numbers_.erase(numbers_.begin() + best);
      state_ = look(now_);
    }
    return result;
  }

private:
  group_state look(const cluster& c) const {
    return state_of(placement{c, group_, build_}, group_);
  }

  int find(bool by_mirror) const {
    auto best = -1;
    auto best_worth = 0.0;
    for (int k = 0; k < static_cast<int>(now_.instances.size()); ++k) {
      const auto& x = now_.instances[at(k)];
      auto on = by_mirror ? x.secondary : x.primary;
      auto matters
        = has(state_.short_of, on) || (!by_mirror && has(state_.uncovered, on));
      if (!matters || stays_(numbers_[at(k)]))
        continue;
      auto mended = missing(state_) - missing(look(taken_out(now_, k)));
      auto worth = static_cast<double>(mended) / crossing_cost(x);
      if (worth <= best_worth)
        continue;
      best = k;
      best_worth = worth;
    }
    return best;
  }

  cluster now_;
  std::vector<int> numbers_;
  int group_;
  build_options build_;
  std::function<bool(int)> stays_;
  group_state state_;
};

} // namespace

double crossing_cost(const instance_spec& x) {
  if (x.disks != disk_template::drbd)
    return migration_cost;
  auto copied = static_cast<double>(x.disk) / (gib_for_one_migration * 1024);
  return 2 * (1 + copied) + migration_cost;
}

group_healing::group_healing(const cluster& c, const group_cuts& cuts,
                             int group, const build_options& build)
  : c_(c), group_(group), build_(build), cut_(cuts.of(group, {})) {
  // nop
}

cluster group_healing::part_without(const std::set<int>& gone,
                                    std::vector<int>& instances) const {
  auto part = cut_.part;
  instances = cut_.instances;
  for (auto k = instances.size(); k-- > 0;)
    if (gone.count(instances[k]) > 0) {
      part = taken_out(std::move(part), static_cast<int>(k));
      instances.erase(instances.begin() + static_cast<std::ptrdiff_t>(k));
    }
  return part;
}

const inside_plan& group_healing::without(const std::set<int>& gone) {
  auto found = known_.find(gone);
  if (found != known_.end())
    return found->second;
  std::vector<int> numbers;
  remedy r{unchanged(part_without(gone, numbers)), build_};
  r.settle(group_);
  inside_plan plan;
  auto node = [&](int n) { return n < 0 ? -1 : cut_.nodes[at(n)]; };
  auto there = [&](place x) {
    return place{node(x.primary), node(x.secondary)};
  };
  for (auto s : r.steps()) {
    s.what.instance = numbers[at(s.what.instance)];
    s.what.target = node(s.what.target);
    s.from = there(s.from);
    s.to = there(s.to);
    plan.steps.push_back(s);
  }
  for (auto s : r.stuck()) {
    s.instance = numbers[at(s.instance)];
    plan.stuck.push_back(std::move(s));
  }
  placement after{r.now(), group_, build_};
  plan.is_well = plan.stuck.empty() && state_of(after, group_).is_well();
  return known_.emplace(gone, std::move(plan)).first->second;
}

std::set<int> group_healing::more_to_leave(const std::set<int>& gone,
                                           const crossing_map& map,
                                           const std::set<int>& kept) {
  const auto& plan = without(gone);
  std::set<int> result;
  for (const auto& s : plan.stuck)
    if (kept.count(s.instance) == 0)
      result.insert(s.instance);
  return plan.stuck.empty() ? for_n1(gone, map, kept) : result;
}

std::set<int> group_healing::for_n1(const std::set<int>& gone,
                                    const crossing_map& map,
                                    const std::set<int>& kept) {
  std::vector<int> numbers;
  auto now = part_without(gone, numbers);
  std::map<int, int> instance_here;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    instance_here[numbers[k]] = static_cast<int>(k);
  std::map<int, int> node_here{{-1, -1}};
  for (std::size_t n = 0; n < cut_.nodes.size(); ++n)
    node_here[cut_.nodes[n]] = static_cast<int>(n);
  auto steps = without(gone).steps;
  for (auto& s : steps) {
    s.what.instance = instance_here[s.what.instance];
    s.to = {node_here[s.to.primary], node_here[s.to.secondary]};
  }
  auto stays = [&](int i) {
    if (kept.count(i) > 0)
      return true;
    for (int g = 0; g < static_cast<int>(c_.groups.size()); ++g)
      if (g != group_ && map.may_enter(i, g))
        return false;
    return true;
  };
  return thinning{crossed_cluster(now, steps), numbers, group_, build_, stays}
    .run();
}

} // namespace orderly::planning
