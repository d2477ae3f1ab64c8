// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/allocate.hpp"

#include <algorithm>
#include <cmath>

namespace orderly::planning {

namespace {

constexpr std::array<std::string_view, failure_kinds> failure_names{
  "FailMem", "FailDisk",      "FailCPU",      "FailN1",      "FailTags",
  "FailMig", "FailDiskCount", "FailSpindles", "FailInternal"};

/// One way in which the size is beyond `bound`.
template <class Beyond>
std::optional<failure>
size_refusal(const instance_spec& x, const std::vector<mib>& disks,
             const instance_size& bound, bool exclusive, Beyond beyond) {
  if (beyond(x.memory, bound.memory))
    return failure::memory;
  if (std::any_of(disks.begin(), disks.end(),
                  [&](mib d) { return beyond(d, bound.disk); }))
    return failure::disk;
  if (beyond(x.vcpus, bound.cpus))
    return failure::cpu;
  std::optional<std::int64_t> spindles = x.spindle_use;
  if (exclusive) {
    spindles = 0;
    for (const auto& s : x.disk_spindles)
      spindles = s && spindles ? std::optional{*spindles + *s} : std::nullopt;
  }
  if (!spindles || beyond(*spindles, bound.spindles))
    return failure::spindles;
  auto count = static_cast<std::int64_t>(disks.size());
  if (x.disks != disk_template::diskless && beyond(count, bound.disks))
    return failure::disk_count;
  return std::nullopt;
}

/// Allocations of one primary, or of single nodes, in the order of trial.
class collection {
public:
  explicit collection(const allocation_rules& rules)
    : rules_(rules), all_(rules.is_good != nullptr) {
    // nop
  }

  void refuse(failure why, std::int64_t times = 1) {
    failures_[static_cast<std::size_t>(why)] += times;
  }

  void add(place where, double score) {
    entry x{std::isnan(score) ? HUGE_VAL : score, where};
    ++count_;
    if (all_ || found_.empty())
      found_.push_back(x);
    else if (x.score <= found_.front().score)
      found_.front() = x;
  }

  /// The best that is good; of equals the last one comes first.
  allocation_result result(const placement& p, int instance) {
    std::reverse(found_.begin(), found_.end());
    std::stable_sort(
      found_.begin(), found_.end(),
      [](const entry& a, const entry& b) { return a.score < b.score; });
    allocation_result r;
    auto is_good = [&](const entry& x) {
      auto what = try_allocation(p, instance, x.where, rules_.ignore_soft);
      if (rules_.is_good && !rules_.is_good(instance, what))
        return false;
      r.best = {what, x.score};
      return true;
    };
    auto dropped
      = std::find_if(found_.begin(), found_.end(), is_good) - found_.begin();
    r.failures = failures_;
    r.failures[static_cast<std::size_t>(failure::n1)] += dropped;
    r.successes = count_ - dropped;
    return r;
  }

private:
  struct entry {
    double score = 0;
    place where;
  };

  const allocation_rules& rules_;
  bool all_; ///< the best may not be good
  std::vector<entry> found_;
  std::int64_t count_ = 0;
  failure_counts failures_{};
};

void merge(allocation_result& all, const allocation_result& more) {
  for (std::size_t k = 0; k < failure_kinds; ++k)
    all.failures[k] += more.failures[k];
  all.successes += more.successes;
  auto keep = all.best && (!more.best || all.best->score < more.best->score);
  if (!keep)
    all.best = more.best ? more.best : all.best;
}

/// One question.
class room_search {
public:
  room_search(const placement& p, int instance, const instance_spec& spec,
              set_score& scores, const allocation_rules& rules)
    : p_(p), instance_(instance), spec_(spec), scores_(scores), rules_(rules) {
    // nop
  }

  allocation_result single(const std::vector<int>& targets) {
    collection all{rules_};
    for (auto n : targets) {
      if (auto no = by_policy(n)) {
        all.refuse(*no);
        continue;
      }
      auto x = try_allocation(p_, instance_, {n, -1}, rules_.ignore_soft);
      if (x.why != refusal::none)
        all.refuse(failure_of(x.why));
      else
        all.add(x.where, scores_.after(instance_, x));
    }
    return all.result(p_, instance_);
  }

  allocation_result primary(int n, const std::vector<int>& secondaries) {
    collection all{rules_};
    auto refuse_all = [&](failure why) {
      all.refuse(why, static_cast<std::int64_t>(secondaries.size()));
      return all.result(p_, instance_);
    };
    if (auto no = by_policy(n))
      return refuse_all(*no);
    auto first = try_allocation(p_, instance_, {n, -1}, rules_.ignore_soft);
    if (first.why != refusal::none)
      return refuse_all(failure_of(first.why));
    if (p_.tags.any_location)
      each_pair(n, secondaries, all);
    else
      each_secondary(first, secondaries, all);
    return all.result(p_, instance_);
  }

private:
  /// What the primary is like depends on the secondary.
  void each_pair(int n, const std::vector<int>& secondaries, collection& all) {
    for (auto s : secondaries) {
      auto x = try_allocation(p_, instance_, {n, s}, rules_.ignore_soft);
      if (x.why != refusal::none)
        all.refuse(failure_of(x.why));
      else
        all.add(x.where, scores_.pair_after(instance_, x));
    }
  }

  void each_secondary(const outcome& first, const std::vector<int>& secondaries,
                      collection& all) {
    auto n = first.where.primary;
    auto half = scores_.after_primary(instance_, first);
    for (auto s : secondaries) {
      auto state = p_.states[at(s)];
      auto why = p_.storage.reaches(s, instance_)
                   ? add_secondary(p_, s, state, instance_, n, {})
                   : refusal::storage;
      if (why != refusal::none)
        all.refuse(failure_of(why));
      else
        all.add({n, s}, scores_.after_secondary(half, s, state));
    }
  }

  std::optional<failure> by_policy(int n) const {
    const auto& node = p_.source->nodes[at(p_.node_index[at(n)])];
    return policy_refusal(spec_, p_.source->groups[at(node.group)].policy,
                          node.exclusive_storage);
  }

  const placement& p_;
  int instance_;
  const instance_spec& spec_;
  set_score& scores_;
  const allocation_rules& rules_;
};

} // namespace

std::string_view name_of(failure x) {
  return failure_names[static_cast<std::size_t>(x)];
}

failure failure_of(refusal x) {
  switch (x) {
  case refusal::memory:
    return failure::memory;
  case refusal::disk:
    return failure::disk;
  case refusal::cpu:
    return failure::cpu;
  case refusal::tags:
    return failure::tags;
  case refusal::spindles:
    return failure::spindles;
  case refusal::migration:
    return failure::migration;
  case refusal::storage:
    return failure::disk;
  case refusal::out_of_service:
  case refusal::closed:
  case refusal::none:
    break;
  }
  return failure::internal;
}

std::optional<failure> policy_refusal(const instance_spec& x,
                                      const instance_policy& policy,
                                      bool exclusive_storage) {
  auto disks = x.disk_sizes;
  if (disks.empty())
    disks.push_back(x.disk);
  // Of several ranges that it is not in the first is named.
  std::optional<failure> why = failure::internal;
  for (const auto& range : policy.ranges) {
    auto no = size_refusal(x, disks, range.min, exclusive_storage,
                           [](auto a, auto b) { return a < b; });
    if (!no)
      no = size_refusal(x, disks, range.max, exclusive_storage,
                        [](auto a, auto b) { return a > b; });
    if (!no || &range == &policy.ranges.front())
      why = no;
    if (!no)
      break;
  }
  if (why)
    return why;
  const auto& good = policy.templates;
  if (std::find(good.begin(), good.end(), x.disks) == good.end())
    return failure::disk;
  return std::nullopt;
}

int nodes_needed(disk_template x) {
  return x == disk_template::drbd ? 2 : 1;
}

outcome try_allocation(const placement& p, int instance, place where,
                       bool ignore_soft) {
  outcome x;
  x.where = where;
  x.count = where.secondary < 0 ? 1 : 2;
  x.nodes = {where.primary, where.secondary, -1};
  auto reached
    = p.storage.reaches(where.primary, instance)
      && (where.secondary < 0 || p.storage.reaches(where.secondary, instance));
  if (!reached) {
    x.why = refusal::storage;
    return x;
  }
  x.states[0] = p.states[at(where.primary)];
  x.why
    = add_primary(p, where.primary, x.states[0], instance, where, ignore_soft);
  if (x.why != refusal::none || where.secondary < 0)
    return x;
  x.states[1] = p.states[at(where.secondary)];
  x.why = add_secondary(p, where.secondary, x.states[1], instance,
                        where.primary, {});
  return x;
}

allocation_result allocate_beside(const placement& p, int instance,
                                  const instance_spec& spec, int primary,
                                  std::vector<int> targets, set_score& scores,
                                  const allocation_rules& rules) {
  targets.erase(std::remove(targets.begin(), targets.end(), primary),
                targets.end());
  return room_search{p, instance, spec, scores, rules}.primary(primary,
                                                               targets);
}

result<allocation_result> allocate(const placement& p, int instance,
                                   const instance_spec& spec,
                                   std::vector<int> targets, int nodes,
                                   set_score& scores,
                                   const allocation_rules& rules) {
  targets.erase(std::remove_if(targets.begin(), targets.end(),
                               [&](int n) { return !p.facts[at(n)].online; }),
                targets.end());
  auto none = [](const char* text) { return fault{fault_kind::refused, text}; };
  room_search s{p, instance, spec, scores, rules};
  if (nodes == 1) {
    if (targets.empty())
      return none("No online nodes");
    return s.single(targets);
  }
  if (nodes != 2)
    return none("Unsupported number of nodes, only one or two  supported");
  std::map<int, std::vector<int>> groups;
  for (auto n : targets)
    groups[p.group_of(n)].push_back(n);
  allocation_result all;
  auto any = false;
  for (auto n : targets) {
    auto others = groups[p.group_of(n)];
    others.erase(std::find(others.begin(), others.end(), n));
    if (others.empty())
      continue;
    any = true;
    merge(all, s.primary(n, others));
  }
  if (!any)
    return none("Not enough online nodes");
  return all;
}

} // namespace orderly::planning
