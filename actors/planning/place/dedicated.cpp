// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/dedicated.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

using room_counts = std::vector<std::int64_t>;

/// A node may have room for this many of the least size, never more: a policy
/// may allow instances that need nothing.
constexpr std::int64_t places_max = 10'000;

/// The least instances of a policy, the largest disk first.
std::vector<instance_spec> least_instances(const instance_policy& policy) {
  std::vector<instance_spec> result;
  for (const auto& range : policy.ranges) {
    instance_spec x;
    x.memory = range.min.memory;
    x.disk = range.min.disk;
    x.disk_sizes = {x.disk};
    x.vcpus = range.min.cpus;
    x.spindle_use = range.min.spindles;
    // Disks only: the reference does not count spindles here.
    x.disk_spindles = {0};
    x.disks = disk_template::plain;
    x.auto_balance = false;
    result.push_back(x);
  }
  std::stable_sort(
    result.begin(), result.end(),
    [](const auto& a, const auto& b) { return a.disk > b.disk; });
  return result;
}

class dedicated_search {
public:
  dedicated_search(placement& p, int instance, const instance_policy& policy,
                   bool ignore_soft)
    : p_(p),
      instance_(instance),
      pattern_(p.add_copy(instance)),
      least_(least_instances(policy)),
      policy_(policy),
      ignore_soft_(ignore_soft) {
    p.tags.exclusion[at(pattern_)].clear();
    p.tags.desired[at(pattern_)].clear();
  }

  void enter(place where) {
    const auto& node = p_.source->nodes[at(p_.node_index[at(where.primary)])];
    if (auto no = policy_refusal(spec_of(p_, instance_), policy_,
                                 node.exclusive_storage))
      return refuse(*no);
    auto x = try_allocation(p_, instance_, where, ignore_soft_);
    if (x.why != refusal::none)
      return refuse(failure_of(x.why));
    ++result_.successes;
    auto lost = lost_by(x);
    // Of equals the last one wins.
    if (!result_.best || lost <= *result_.best->lost)
      result_.best = {x, 0, std::move(lost)};
  }

  const allocation_result& result() const { return result_; }

private:
  void refuse(failure why) {
    ++result_.failures[static_cast<std::size_t>(why)];
  }

  lost_room lost_by(const outcome& x) {
    lost_room lost{room_counts(least_.size(), 0), 0};
    for (std::size_t k = 0; k < at(x.count); ++k) {
      auto node = x.nodes[k];
      auto after = places_on(node, x.states[k]);
      const auto& before = places_before(node);
      for (std::size_t s = 0; s < after.size(); ++s)
        lost.places[s] += before[s] - after[s];
      lost.free_disk += x.states[k].free_disk;
    }
    return lost;
  }

  const room_counts& places_before(int node) {
    auto [found, is_new] = before_.try_emplace(node);
    if (is_new)
      found->second = places_on(node, p_.states[at(node)]);
    return found->second;
  }

  room_counts places_on(int node, const node_state& state) {
    room_counts result;
    for (const auto& size : least_) {
      p_.resize(pattern_, size);
      auto s = state;
      std::int64_t n = 0;
      while (n < places_max
             && add_primary(p_, node, s, pattern_, {node, -1}, false)
                  == refusal::none)
        ++n;
      result.push_back(n);
    }
    return result;
  }

  placement& p_;
  int instance_;
  int pattern_; ///< is each of the least instances in turn
  std::vector<instance_spec> least_;
  const instance_policy& policy_;
  bool ignore_soft_;
  std::map<int, room_counts> before_;
  allocation_result result_;
};

} // namespace

bool is_dedicated(const cluster& c, std::optional<int> group) {
  return std::all_of(c.nodes.begin(), c.nodes.end(), [&](const node_spec& n) {
    auto counted
      = group ? n.group == *group
              : c.groups[at(n.group)].allocation != alloc_policy::unallocable;
    return !counted || n.exclusive_storage;
  });
}

result<allocation_result>
allocate_dedicated(placement& p, int instance, std::vector<int> targets,
                   int nodes, const instance_policy& policy, bool ignore_soft) {
  auto none = [](const char* text) { return fault{fault_kind::refused, text}; };
  if (nodes != 1 && nodes != 2)
    return none("Unsupported number of nodes, only one or two  supported");
  targets.erase(std::remove_if(targets.begin(), targets.end(),
                               [&](int n) { return !p.facts[at(n)].online; }),
                targets.end());
  if (static_cast<int>(targets.size()) < nodes)
    return none(nodes == 1 ? "No online nodes" : "Not enough online nodes");
  dedicated_search s{p, instance, policy, ignore_soft};
  for (auto n : targets) {
    if (nodes == 1)
      s.enter({n, -1});
    else
      for (auto other : targets)
        if (other != n)
          s.enter({n, other});
  }
  return s.result();
}

} // namespace orderly::planning
