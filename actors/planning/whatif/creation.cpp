// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/creation.hpp"

#include "actors/planning/moves/placement.hpp"
#include "actors/planning/moves/trial.hpp"
#include "actors/planning/score/shared_n1.hpp"

#include <algorithm>
#include <list>

namespace orderly::planning {

namespace {

/// One group that takes instances like a pattern, which is nowhere itself.
class taker {
public:
  taker(const cluster& c, int group, const instance_spec& size,
        const build_options& build)
    : with_pattern_(c),
      p_(add_pattern(with_pattern_, size), group, build),
      pattern_(p_.instance_count() - 1),
      scores_(p_, p_.all_nodes()),
      n1_(p_) {
    // nop
  }

  taker(const taker&) = delete;
  taker& operator=(const taker&) = delete;

  mib free_memory() const {
    mib sum = 0;
    for (int n = 0; n < p_.node_count(); ++n)
      if (p_.facts[at(n)].online)
        sum += p_.unallocated(n, p_.states[at(n)]);
    return sum;
  }

  /// One more, if there is a place that takes N+1 from nobody.
  bool take(failure_counts& failures) {
    allocation_rules rules;
    rules.is_good = [this](int instance, const outcome& x) {
      return costs_nobody(instance, x);
    };
    const auto& size = with_pattern_.instances.back();
    auto found = allocate(p_, pattern_, size, p_.all_nodes(),
                          nodes_needed(size.disks), scores_, rules);
    if (!found)
      return false;
    if (!found->best) {
      for (std::size_t k = 0; k < failure_kinds; ++k)
        failures[k] += found->failures[k];
      return false;
    }
    const auto& best = found->best->what;
    auto made = p_.add_copy(pattern_);
    make_move(p_, {made, move_kind::failover, -1}, best);
    n1_.follow(p_, made, {});
    scores_.look(best);
    made_.push_back({p_.node_index[at(best.where.primary)],
                     best.where.secondary < 0
                       ? -1
                       : p_.node_index[at(best.where.secondary)]});
    return true;
  }

  /// What nodes have left, and the new instances.
  void write(cluster& c, std::int64_t& number) const {
    auto moved = moved_cluster(with_pattern_, p_);
    for (auto n : p_.node_index)
      c.nodes[at(n)] = std::move(moved.nodes[at(n)]);
    for (auto where : made_) {
      auto x = with_pattern_.instances.back();
      auto is_taken = [&](const instance_spec& i) { return i.name == x.name; };
      do
        x.name = "new-" + std::to_string(++number);
      while (std::any_of(c.instances.begin(), c.instances.end(), is_taken));
      x.primary = where.primary;
      x.secondary = where.secondary;
      c.instances.push_back(std::move(x));
    }
  }

private:
  /// Does no node lose N+1, or its cover, if it goes there?
  bool costs_nobody(int instance, const outcome& x) {
    for (int k = 0; k < x.count; ++k)
      if (x.states[at(k)].short_of_memory
          && !p_.states[at(x.nodes[at(k)])].short_of_memory)
        return false;
    trial t{p_};
    t.make({instance, move_kind::failover, -1}, x);
    auto is_lost = n1_.follow(p_, instance, {});
    t.undo(0);
    n1_.follow(p_, instance, x.where);
    return !is_lost;
  }

  static const cluster& add_pattern(cluster& c, const instance_spec& size) {
    c.instances.push_back(size);
    return c;
  }

  cluster with_pattern_;
  placement p_;
  int pattern_;
  set_score scores_;
  shared_n1 n1_;
  std::vector<place> made_; ///< in indices of the cluster
};

/// Fills groups of one policy, always the one with the most free memory.
void fill(const std::vector<int>& groups, cluster& c, unplaced_instances& rest,
          const build_options& build, std::int64_t& number) {
  std::list<taker> takers;
  for (auto g : groups)
    takers.emplace_back(c, g, rest.what.size, build);
  std::vector<taker*> open;
  for (auto& t : takers)
    open.push_back(&t);
  while (rest.what.count > 0 && !open.empty()) {
    auto best = std::max_element(open.begin(), open.end(),
                                 [](const taker* a, const taker* b) {
                                   return a->free_memory() < b->free_memory();
                                 });
    if ((*best)->take(rest.failures))
      --rest.what.count;
    else
      open.erase(best);
  }
  for (const auto& t : takers)
    t.write(c, number);
}

} // namespace

std::vector<int> open_groups(const cluster& c, const wanted_instances& what) {
  if (what.group >= 0)
    return {what.group};
  std::vector<int> result;
  for (std::size_t g = 0; g < c.groups.size(); ++g) {
    auto in_service
      = [g](const node_spec& n) { return !n.offline && at(n.group) == g; };
    if (c.groups[g].allocation != alloc_policy::unallocable
        && std::any_of(c.nodes.begin(), c.nodes.end(), in_service))
      result.push_back(static_cast<int>(g));
  }
  return result;
}

unplaced_instances create(cluster& c, const wanted_instances& what,
                          const build_options& build, std::int64_t& number) {
  unplaced_instances rest{what, {}};
  auto all = open_groups(c, what);
  for (auto policy : {alloc_policy::preferred, alloc_policy::last_resort,
                      alloc_policy::unallocable}) {
    std::vector<int> groups;
    for (auto g : all)
      if (c.groups[at(g)].allocation == policy)
        groups.push_back(g);
    if (rest.what.count > 0)
      fill(groups, c, rest, build, number);
  }
  return rest;
}

} // namespace orderly::planning
