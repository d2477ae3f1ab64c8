// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/balance/planner.hpp"

#include "actors/balance/planner_words.hpp"
#include "actors/planning/place/empty_nodes.hpp"
#include "actors/planning/place/place_one.hpp"
#include "actors/planning/place/refresh.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace orderly {

namespace {

using namespace planning;

/// Why balancing leaves instances alone, by their place in the cluster.
using kept_instances = std::map<int, std::string>;

/// Nodes that no move touches: those that are to be left alone, and all that
/// are not in service, since what leaves them is a repair.
std::vector<bool> closed_nodes(const plan_question& q, const cluster& c) {
  std::vector<bool> result;
  for (const auto& n : c.nodes)
    result.push_back(n.offline || q.closed.count(n.name) > 0);
  return result;
}

/// Marks them in `fresh`, too.
kept_instances keep_instances(const plan_question& q, fresh_cluster& fresh,
                              const std::vector<bool>& closed) {
  auto result = std::move(fresh.unwell);
  auto& c = fresh.now;
  for (std::size_t k = 0; k < c.instances.size(); ++k) {
    auto& x = c.instances[k];
    auto& why = result[static_cast<int>(k)];
    for (auto n : {x.primary, x.secondary})
      if (why.empty() && n >= 0 && closed[at(n)])
        why = c.nodes[at(n)].name + " is left alone";
    if (why.empty() && q.fixed.count(x.name) > 0)
      why = "it is to be left alone";
    if (why.empty() && x.excluded)
      why = "it is excluded from balancing";
    x.excluded = !why.empty();
    if (why.empty())
      result.erase(static_cast<int>(k));
  }
  return result;
}

group_rules rules_of(planner_port::pointer self, const plan_question& q) {
  group_rules r;
  r.threshold = q.threshold;
  r.move_cost = q.move_cost;
  r.disk_moves = q.disk_moves;
  r.each_gains = true;
  constexpr auto most = std::uint32_t{std::numeric_limits<int>::max()};
  if (q.moves_max > 0)
    r.steps_max = static_cast<int>(std::min(q.moves_max, most));
  r.effort_max = fast_rules{}.effort_max;
  constexpr auto too_much = std::numeric_limits<std::int64_t>::max();
  if (q.effort_max > 0)
    r.effort_max = static_cast<std::int64_t>(
      std::min(q.effort_max, std::uint64_t{too_much}));
  if (q.deadline > millis{0})
    r.left = [self, end = self->clock().now() + q.deadline] {
      return std::chrono::duration<double>(end - self->clock().now()).count();
    };
  return r;
}

/// Sentences about the instances that are asked for.
void explain(const plan_question& q, const balanced_group& x,
             const std::vector<planned_move>& moves, const kept_instances& kept,
             plan_answer& result) {
  for (int i = 0; i < x.before.instance_count(); ++i) {
    const auto& name = spec_of(x.before, i).name;
    if (q.explained.count(name) == 0)
      continue;
    auto why = kept.find(x.before.instance_index[at(i)]);
    result.explained[name]
      = explanation(x, moves, i, why == kept.end() ? "" : why->second);
  }
}

/// The last search: what it was about, and what it found.
struct thought {
  cluster about;
  group_rules rules;
  std::vector<balanced_group> found; ///< of `about`
};

bool same_limits(const group_rules& a, const group_rules& b) {
  return a.closed == b.closed && a.threshold == b.threshold
         && a.move_cost == b.move_cost && a.disk_moves == b.disk_moves
         && a.each_gains == b.each_gains && a.steps_max == b.steps_max
         && a.effort_max == b.effort_max;
}

/// Searches, unless `last` was the same search.
void think(std::optional<thought>& last, cluster about, group_rules rules) {
  if (last && same_limits(last->rules, rules) && last->about == about)
    return;
  last.emplace();
  last->about = std::move(about);
  last->rules = std::move(rules);
  last->found = balance_groups(last->about, last->rules);
}

plan_answer plan_of(planner_port::pointer self, const plan_question& q,
                    std::optional<thought>& last) {
  plan_answer result;
  result.text = q.model ? fault_of(*q.model) : "there is no model";
  if (!result.text.empty())
    return result;
  auto rules = rules_of(self, q);
  auto fresh = refresh(*q.model, q.picture, q.under_way);
  rules.closed = closed_nodes(q, fresh.now);
  auto kept = keep_instances(q, fresh, rules.closed);
  think(last, std::move(fresh.now), std::move(rules));
  for (const auto& name : q.explained)
    result.explained[name] = name + ": there is no such instance";
  for (const auto& x : last->found) {
    const auto& name = last->about.groups[at(x.group)].name;
    if (!x.scored) {
      result.text += (result.text.empty() ? "" : "; ")
                     + ("the figures of group " + name + " give no score");
    } else {
      const auto& found = x.plan.found;
      result.groups.push_back({name, found.initial, found.final,
                               static_cast<std::uint32_t>(found.steps.size()),
                               x.plan.cut});
    }
    auto moves = planned_moves(x);
    explain(q, x, moves, kept, result);
    std::move(moves.begin(), moves.end(), std::back_inserter(result.moves));
  }
  result.planned = !result.groups.empty();
  std::sort(result.groups.begin(), result.groups.end(),
            [](const auto& a, const auto& b) { return a.group < b.group; });
  return result;
}

} // namespace

planner_port::behavior_type planner(planner_port::pointer self) {
  return {
    [self](const plan_question& q) {
      std::optional<thought> none;
      return plan_of(self, q, none);
    },
    [](const target_question& q) { return place_one(q); },
    [](const evacuation_question& q) { return empty_nodes(q); },
  };
}

planner_port::behavior_type remembering_planner(planner_port::pointer self) {
  return {
    [self, last = std::make_shared<std::optional<thought>>()](
      const plan_question& q) { return plan_of(self, q, *last); },
    [](const target_question& q) { return place_one(q); },
    [](const evacuation_question& q) { return empty_nodes(q); },
  };
}

} // namespace orderly
