// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/emptying.hpp"

#include "actors/planning/groups/crossed_steps.hpp"
#include "actors/planning/groups/group_report.hpp"
#include "actors/planning/search/job_sets.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

/// Packings that are tried, half of them with a spare node in each group.
constexpr std::uint64_t packings = 6;

/// Moves inside groups that may make room for one that is left.
constexpr int moves_for_one = 3;

/// Groups that may take something: preferred ones first, then those with the
/// most free memory.
std::vector<int> targets_of(const cluster& c, const group_cuts& cuts,
                            const std::vector<bool>& emptied,
                            const build_options& build) {
  std::vector<std::tuple<alloc_policy, mib, int>> keys;
  for (std::size_t g = 0; g < c.groups.size(); ++g) {
    auto group = static_cast<int>(g);
    if (emptied[g] || c.groups[g].allocation == alloc_policy::unallocable)
      continue;
    auto cut = cuts.of(group, {});
    auto free = room_of(placement{cut.part, group, build}).free_memory;
    keys.emplace_back(c.groups[g].allocation, -free, group);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> result;
  for (const auto& [policy, free, group] : keys)
    result.push_back(group);
  return result;
}

} // namespace

emptier::emptier(const cluster& c, const crossing_map& map,
                 const build_options& build, std::int64_t effort)
  : c_(c),
    map_(map),
    build_(build),
    effort_(effort),
    cuts_(c),
    flow_(c, map, cuts_, build),
    largest_(c.groups.size(), 0) {
  for (const auto& n : c.nodes)
    if (!n.offline)
      largest_[at(n.group)]
        = std::max(largest_[at(n.group)],
                   static_cast<mib>(n.total_memory) - n.node_memory - 1);
}

std::vector<kept_instance>
emptier::kept_of(const std::vector<int>& instances,
                 const std::vector<bool>& emptied) const {
  std::vector<kept_instance> result;
  for (auto i : instances) {
    kept_instance x{i, {}};
    const auto& spec = c_.instances[at(i)];
    auto memory = uses_memory(spec) ? spec.memory : 0;
    auto open = false;
    for (std::size_t g = 0; g < emptied.size(); ++g) {
      auto why
        = emptied[g] ? barrier::unallocable : map_.into(i, static_cast<int>(g));
      x.into.push_back(why);
      open = open || (why == barrier::none && memory <= largest_[g]);
    }
    if (!open)
      result.push_back(std::move(x));
  }
  return result;
}

/// Takes what was found if it is less that is left than before, or all went;
/// says whether all went.
bool emptier::accept(emptying& x, const arrivals& found) const {
  auto all = found.left().empty();
  if (!all && !x.left.empty() && found.left_memory() >= x.left_memory)
    return false;
  x.left = found.left();
  x.left_memory = found.left_memory();
  return all;
}

bool emptier::search(emptying& x, const std::vector<int>& instances,
                     const std::vector<int>& targets) const {
  arrival_question q{c_, map_, cuts_, build_, instances, targets};
  auto is_plan = [&](const arrivals& found) {
    if (!accept(x, found))
      return false;
    x.steps = found.steps();
    auto inside = static_cast<std::ptrdiff_t>(found.inside());
    std::vector<step> before{x.steps.begin(), x.steps.begin() + inside};
    std::vector<step> rest{x.steps.begin() + inside, x.steps.end()};
    x.rounds = rounds_of(rest);
    sort_by_rounds(rest, x.rounds);
    auto levels = static_cast<int>(before.size());
    for (auto& r : x.rounds.of)
      r += levels;
    for (auto k = levels; k-- > 0;)
      x.rounds.of.insert(x.rounds.of.begin(), k);
    x.rounds.count += levels;
    std::copy(rest.begin(), rest.end(), x.steps.begin() + inside);
    return arrivals::are_safe(q, x.steps);
  };
  for (auto how : {fit::roomy, fit::tight}) {
    arrivals a{q};
    a.place_all(how);
    if (is_plan(a))
      return true;
  }
  auto effort = effort_;
  for (std::uint64_t seed = 0; seed < packings; ++seed) {
    arrivals a{q};
    a.place_all(fit::tight);
    a.pack_all(seed % 2 == 0, seed / 2 + 1,
               effort_ / static_cast<std::int64_t>(packings));
    if (is_plan(a))
      return true;
    a.make_room(moves_for_one, effort);
    if (is_plan(a))
      return true;
  }
  return false;
}

emptying emptier::judge(const std::vector<int>& groups) const {
  emptying x;
  x.groups = groups;
  std::vector<bool> emptied(c_.groups.size(), false);
  std::vector<int> instances;
  for (auto g : groups) {
    emptied[at(g)] = true;
    const auto& there = cuts_.instances_of(g);
    instances.insert(instances.end(), there.begin(), there.end());
  }
  if (instances.empty())
    return x;
  x.kept = kept_of(instances, emptied);
  if (x.kept.empty())
    x.lacks = flow_.look(emptied);
  if (!x.kept.empty() || x.lacks) {
    x.is = empty_verdict::cannot;
    return x;
  }
  if (!search(x, instances, targets_of(c_, cuts_, emptied, build_))) {
    x.is = empty_verdict::not_found;
    x.steps.clear();
    x.rounds = {};
    return x;
  }
  x.moved = traffic_of(c_, moves_of_crossings(c_, x.steps));
  return x;
}

} // namespace orderly::planning
