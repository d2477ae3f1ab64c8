// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/room_flow.hpp"

#include "actors/planning/groups/flow.hpp"

#include <algorithm>
#include <set>

namespace orderly::planning {

namespace {

constexpr std::size_t index_of(resource x) {
  return static_cast<std::size_t>(x);
}

std::int64_t at_least_nothing(std::int64_t x) {
  return std::max<std::int64_t>(0, x);
}

} // namespace

room_flow::room_flow(const cluster& c, const crossing_map& map,
                     const group_cuts& cuts, const build_options& build)
  : room_(c.groups.size()) {
  auto count = static_cast<int>(c.groups.size());
  for (int g = 0; g < count; ++g) {
    auto cut = cuts.of(g, {});
    add_room(placement{cut.part, g, build}, g);
  }
  for (int i = 0; i < static_cast<int>(c.instances.size()); ++i) {
    const auto& x = c.instances[at(i)];
    if (map.home(i) < 0 || x.forthcoming)
      continue;
    sort_of sort{map.home(i), pool_of(c, x), {}};
    for (int g = 0; g < count; ++g)
      sort.open.push_back(g != sort.home && map.may_enter(i, g));
    auto& d = demands_[std::move(sort)];
    amounts whole{};
    whole[index_of(resource::memory)] = uses_memory(x) ? x.memory : 0;
    whole[index_of(resource::cpus)] = is_online(x) ? x.vcpus : 0;
    if (uses_local_disk(x.disks))
      whole[index_of(resource::disk)]
        = x.disk * (x.disks == disk_template::drbd ? 2 : 1);
    auto is_on = [&](int n) { return n >= 0 && !c.nodes[at(n)].offline; };
    for (std::size_t r = 0; r < resource_kinds; ++r) {
      d.leaving[r] += whole[r];
      // Who is on dead nodes takes nothing of the others.
      if (r != index_of(resource::disk))
        d.staying[r] += is_on(x.primary) ? whole[r] : 0;
      else if (uses_local_disk(x.disks))
        d.staying[r] += (is_on(x.primary) ? x.disk : 0)
                        + (is_on(x.secondary) ? x.disk : 0);
    }
  }
  for (const auto& [sort, d] : demands_)
    for (std::size_t r = 0; r < resource_kinds; ++r)
      room_[at(sort.home)][r] += d.staying[r];
}

/// What nodes in service have left.
void room_flow::add_room(const placement& p, int group) {
  auto& room = room_[at(group)];
  for (int n = 0; n < p.node_count(); ++n) {
    const auto& f = p.facts[at(n)];
    const auto& s = p.states[at(n)];
    if (!f.online)
      continue;
    // Something must be left of memory and disk, however little.
    room[index_of(resource::memory)]
      += at_least_nothing(p.unallocated(n, s) - 1);
    room[index_of(resource::disk)]
      += at_least_nothing(s.free_disk - std::max<mib>(1, f.low_disk));
    room[index_of(resource::cpus)] += at_least_nothing(
      static_cast<std::int64_t>(f.vcpu_ratio * f.total_cpus) - s.cpus);
  }
}

std::optional<shortage>
room_flow::look(const std::vector<bool>& emptied) const {
  for (auto of : {resource::memory, resource::disk, resource::cpus})
    if (auto found = look(emptied, of))
      return found;
  return std::nullopt;
}

std::optional<shortage> room_flow::look(const std::vector<bool>& emptied,
                                        resource of) const {
  auto r = index_of(of);
  auto groups = static_cast<int>(emptied.size());
  auto sorts = static_cast<int>(demands_.size());
  constexpr int source = 0;
  constexpr int sink = 1;
  constexpr int first_group = 2;
  auto first_sort = first_group + groups;
  flow_net net{first_sort + sorts};
  std::int64_t wanted = 0;
  for (int g = 0; g < groups; ++g)
    if (!emptied[at(g)])
      net.connect(first_group + g, sink, room_[at(g)][r]);
  auto k = first_sort;
  for (const auto& [sort, d] : demands_) {
    auto leaves = emptied[at(sort.home)];
    auto amount = leaves ? d.leaving[r] : std::min(d.staying[r], d.leaving[r]);
    wanted += amount;
    net.connect(source, k, amount);
    for (int g = 0; g < groups; ++g)
      if (!emptied[at(g)] && (g == sort.home || sort.open[at(g)]))
        net.connect(k, first_group + g, flow_net::no_bound);
    ++k;
  }
  auto fits = net.greatest(source, sink);
  if (fits >= wanted)
    return std::nullopt;
  shortage result;
  result.of = of;
  result.missing = wanted - fits;
  for (int g = 0; g < groups; ++g)
    if (!emptied[at(g)] && net.is_behind(first_group + g)) {
      result.groups.push_back(g);
      result.room += room_[at(g)][r];
    }
  std::set<std::optional<storage_pool>> pools;
  k = first_sort;
  for (const auto& [sort, d] : demands_) {
    if (net.is_behind(k)) {
      auto leaves = emptied[at(sort.home)];
      result.wanted += leaves ? d.leaving[r] : d.staying[r];
      if (leaves && d.leaving[r] > 0)
        pools.insert(sort.pool);
    }
    ++k;
  }
  result.pools.assign(pools.begin(), pools.end());
  return result;
}

} // namespace orderly::planning
