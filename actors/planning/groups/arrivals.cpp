// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/arrivals.hpp"

#include "actors/planning/groups/packing.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

bool is_mirrored(const cluster& c, int instance) {
  return c.instances[at(instance)].disks == disk_template::drbd;
}

/// Mirrors first, since they need two nodes, and of each the largest first.
std::vector<int> hardest_first(const cluster& c, std::vector<int> all) {
  std::stable_sort(all.begin(), all.end(), [&](int a, int b) {
    auto key = [&](int i) {
      return std::pair{!is_mirrored(c, i), -c.instances[at(i)].memory};
    };
    return key(a) < key(b);
  });
  return all;
}

} // namespace

arrivals::arrivals(const arrival_question& q)
  : q_(q), landings_(q.targets.size()), left_(hardest_first(q.c, q.instances)) {
  // nop
}

landing& arrivals::open(std::size_t target) {
  auto& x = landings_[target];
  if (!x) {
    auto group = q_.targets[target];
    x = std::make_unique<landing>(q_.cuts.of(group, q_.instances), group,
                                  q_.build);
  }
  return *x;
}

/// Groups that are open come first, those with the most room before others.
std::vector<std::size_t> arrivals::order() const {
  std::vector<std::pair<mib, std::size_t>> open;
  std::vector<std::size_t> closed;
  for (std::size_t t = 0; t < landings_.size(); ++t) {
    if (!landings_[t]) {
      closed.push_back(t);
      continue;
    }
    mib free = 0;
    for (int n = 0; n < landings_[t]->now().node_count(); ++n)
      if (landings_[t]->now().facts[at(n)].online)
        free += std::max<mib>(0, landings_[t]->free_memory(n));
    open.emplace_back(-free, t);
  }
  std::sort(open.begin(), open.end());
  std::vector<std::size_t> result;
  for (const auto& [free, t] : open)
    result.push_back(t);
  result.insert(result.end(), closed.begin(), closed.end());
  return result;
}

bool arrivals::enter(int instance, fit how) {
  for (auto t : order()) {
    if (!q_.map.may_enter(instance, q_.targets[t]))
      continue;
    auto& x = open(t);
    if (!x.put(x.local(instance), how))
      continue;
    where_[instance] = t;
    return true;
  }
  return false;
}

void arrivals::place_all(fit how) {
  std::vector<int> rest;
  for (auto i : left_)
    if (!enter(i, how))
      rest.push_back(i);
  left_ = std::move(rest);
}

void arrivals::leave(int instance) {
  auto found = where_.find(instance);
  auto& x = *landings_[found->second];
  x.take(x.local(instance));
  where_.erase(found);
}

void arrivals::pack_all(bool spare, std::uint64_t seed, std::int64_t effort) {
  packing_question q;
  q.seed = seed;
  q.effort = effort;
  std::vector<int> sorts; // of each size, the instance
  for (auto i : hardest_first(q_.c, q_.instances)) {
    auto found = where_.find(i);
    if (is_mirrored(q_.c, i))
      continue;
    sorts.push_back(i);
    q.sizes.push_back(
      uses_memory(q_.c.instances[at(i)]) ? q_.c.instances[at(i)].memory : 0);
    if (found != where_.end())
      leave(i);
  }
  std::vector<std::pair<std::size_t, int>> rooms;
  q.open.resize(sorts.size());
  for (std::size_t t = 0; t < landings_.size(); ++t) {
    auto& x = open(t);
    std::vector<bool> may;
    for (auto i : sorts)
      may.push_back(q_.map.may_enter(i, x.group()));
    int most = -1;
    for (int n = 0; n < x.now().node_count(); ++n)
      if (x.now().facts[at(n)].online
          && (most < 0 || x.free_memory(n) > x.free_memory(most)))
        most = n;
    for (int n = 0; n < x.now().node_count(); ++n) {
      if (!x.now().facts[at(n)].online || (spare && n == most))
        continue;
      rooms.emplace_back(t, n);
      q.rooms.push_back(
        std::max<mib>(0, x.free_memory(n) - x.now().states[at(n)].reserved));
      for (std::size_t k = 0; k < sorts.size(); ++k)
        q.open[k].push_back(may[k]
                            && x.now().storage.reaches(n, x.local(sorts[k])));
    }
  }
  q.start.assign(sorts.size(), -1);
  auto found = pack(q);
  for (std::size_t k = 0; k < sorts.size(); ++k) {
    if (found[k] < 0)
      continue;
    auto [t, n] = rooms[at(found[k])];
    auto& x = open(t);
    if (x.put(x.local(sorts[k]), place{n, -1}))
      where_[sorts[k]] = t;
  }
  std::vector<int> rest;
  for (auto i : hardest_first(q_.c, q_.instances))
    if (where_.count(i) == 0)
      rest.push_back(i);
  left_ = std::move(rest);
  place_all(fit::tight);
}

void arrivals::make_room(int moves, std::int64_t& effort) {
  std::vector<int> rest;
  for (auto i : left_) {
    auto found = false;
    for (std::size_t t = 0; t < landings_.size() && !found; ++t) {
      if (!q_.map.may_enter(i, q_.targets[t]))
        continue;
      auto& x = open(t);
      std::vector<step> made;
      found = x.make_room(x.local(i), moves, effort, made);
      if (found)
        where_[i] = t;
      // Who came from elsewhere is only told where it ends.
      for (const auto& s : made)
        if (where_.count(s.what.instance) == 0)
          inside_.push_back(s);
    }
    if (!found)
      rest.push_back(i);
  }
  left_ = std::move(rest);
}

mib arrivals::left_memory() const {
  mib result = 0;
  for (auto i : left_)
    result += q_.c.instances[at(i)].memory;
  return result;
}

std::vector<step> arrivals::steps() const {
  auto result = inside_;
  for (auto i : hardest_first(q_.c, q_.instances)) {
    auto found = where_.find(i);
    if (found == where_.end())
      continue;
    const auto& x = *landings_[found->second];
    const auto& spec = q_.c.instances[at(i)];
    auto to = x.in_cluster(x.now().places[at(x.local(i))]);
    result.push_back({{i, move_kind::failover_to, to.primary},
                      {spec.primary, spec.secondary},
                      to,
                      0});
  }
  return result;
}

bool arrivals::are_safe(const arrival_question& q,
                        const std::vector<step>& steps) {
  arrivals again{q};
  std::map<int, std::size_t> target_of;
  for (std::size_t t = 0; t < q.targets.size(); ++t)
    target_of[q.targets[t]] = t;
  for (const auto& s : steps) {
    auto group = q.c.nodes[at(s.to.primary)].group;
    auto found = target_of.find(group);
    if (found == target_of.end())
      return false;
    auto& x = again.open(found->second);
    auto i = x.local(s.what.instance);
    auto comes = x.now().places[at(i)].primary < 0;
    auto to = x.here(s.to);
    auto done
      = comes ? x.put(i, to) : x.shift({i, move_kind::failover_to, to.primary});
    if (!done)
      return false;
  }
  return true;
}

} // namespace orderly::planning
