// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/moves/moves.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

void judge_memory(const placement& p, int node, node_state& s) {
  s.short_of_memory = p.unallocated(node, s) <= s.reserved;
}

std::int64_t spindles_on(const placement& p, int node,
                         const instance_facts& x) {
  return p.facts[at(node)].exclusive ? 0 : x.spindles;
}

/// A disk that does not say how many spindles it has leaves none. Where they
/// are shared nobody counts the free ones: as in the reference, a node has none
/// of them any more once an instance came or went.
std::int64_t left_spindles(const placement& p, int node, std::int64_t now,
                           const instance_facts& x, int sign) {
  if (!p.facts[at(node)].exclusive)
    return 0;
  if (!x.disk_spindles)
    return sign > 0 ? -1 : now;
  return now - sign * *x.disk_spindles;
}

/// Disk and spindles are taken the same way by primary and secondary.
void take_disk(const placement& p, int node, node_state& s,
               const instance_facts& x, int sign) {
  auto own = spindles_on(p, node, x);
  s.later_disk -= sign * x.disk;
  s.later_spindles += sign * own;
  s.later_free_spindles
    = left_spindles(p, node, s.later_free_spindles, x, sign);
  if (x.forthcoming)
    return;
  s.free_disk -= sign * x.disk;
  s.spindles += sign * own;
  s.free_spindles = left_spindles(p, node, s.free_spindles, x, sign);
}

refusal disk_refusal(const placement& p, int node, const instance_facts& x,
                     mib disk, std::int64_t spindles,
                     std::int64_t free_spindles) {
  const auto& f = p.facts[at(node)];
  if (!x.local)
    return refusal::none;
  if (disk < f.low_disk)
    return refusal::disk;
  if (f.exclusive && free_spindles < 0)
    return refusal::spindles;
  if (!f.exclusive && static_cast<double>(spindles) > f.high_spindles)
    return refusal::disk;
  return refusal::none;
}

/// What may not be even where limits are ignored.
refusal hard_refusal(const placement& p, int node, const node_state& s,
                     const instance_facts& x, bool ignore_disk) {
  if (!x.local || x.forthcoming)
    return refusal::none;
  if (s.free_disk <= 0 && !ignore_disk)
    return refusal::disk;
  if (p.facts[at(node)].exclusive && s.free_spindles < 0)
    return refusal::spindles;
  return refusal::none;
}

/// Limits on what will be when the forthcoming instances are there.
refusal later_refusal(const placement& p, int node, const node_state& s,
                      const instance_facts& x, bool primary) {
  const auto& f = p.facts[at(node)];
  if (s.later_memory <= (primary ? 0 : x.later_reserve))
    return refusal::memory;
  if (x.local && s.later_disk <= 0)
    return refusal::disk;
  auto disk = disk_refusal(p, node, x, s.later_disk, s.later_spindles,
                           s.later_free_spindles);
  if (disk != refusal::none)
    return disk;
  if (primary
      && static_cast<double>(s.later_cpus) / f.total_cpus > f.vcpu_ratio)
    return refusal::cpu;
  return refusal::none;
}

} // namespace

node_state without_primary(const placement& p, int node, const node_state& s,
                           int instance) {
  const auto& x = p.instances[at(instance)];
  auto r = s;
  take_disk(p, node, r, x, -1);
  r.later_memory += x.size;
  r.later_cpus -= x.vcpus;
  for (auto tag : p.tags.exclusion[at(instance)])
    r.conflicts -= p.tag_count(node, tag) > 1 ? 1 : 0;
  if (x.forthcoming)
    return r;
  r.instance_memory -= x.memory;
  r.cpus -= x.vcpus;
  for (std::size_t k = 0; k < load_parts; ++k)
    r.use[k] -= x.use[k];
  --r.primaries;
  r.misplaced -= p.misplacement(instance, p.places[at(instance)]);
  judge_memory(p, node, r);
  return r;
}

node_state without_secondary(const placement& p, int node, const node_state& s,
                             int instance, int primary) {
  const auto& x = p.instances[at(instance)];
  auto r = s;
  take_disk(p, node, r, x, -1);
  if (x.forthcoming)
    return r;
  r.use[load_disk] -= x.use[load_disk];
  --r.secondaries;
  auto before = p.reserve(node, primary);
  if (before >= r.reserved)
    r.reserved = p.greatest_reserve(node, primary, before - x.reserve);
  judge_memory(p, node, r);
  return r;
}

refusal add_primary(const placement& p, int node, node_state& s, int instance,
                    place where, bool ignore_soft) {
  const auto& x = p.instances[at(instance)];
  const auto& f = p.facts[at(node)];
  auto was_short = s.short_of_memory;
  take_disk(p, node, s, x, 1);
  s.later_memory -= x.size;
  s.later_cpus += x.vcpus;
  if (!x.forthcoming) {
    s.instance_memory += x.memory;
    s.cpus += x.vcpus;
    for (std::size_t k = 0; k < load_parts; ++k)
      s.use[k] += x.use[k];
    ++s.primaries;
    s.misplaced += p.misplacement(instance, where);
    judge_memory(p, node, s);
    if (p.unallocated(node, s) <= 0)
      return refusal::memory;
  }
  auto hard = hard_refusal(p, node, s, x, false);
  if (hard != refusal::none)
    return hard;
  auto held = false;
  for (auto tag : p.tags.exclusion[at(instance)]) {
    auto own = p.places[at(instance)].primary == node ? 1 : 0;
    auto others = p.tag_count(node, tag) - own;
    held |= others > 0;
    s.conflicts += others > 0 ? 1 : 0;
  }
  if (ignore_soft)
    return refusal::none;
  if (!x.forthcoming) {
    auto disk
      = disk_refusal(p, node, x, s.free_disk, s.spindles, s.free_spindles);
    if (disk != refusal::none)
      return disk;
    if (s.short_of_memory && !was_short)
      return refusal::memory;
    if (static_cast<double>(s.cpus) / f.total_cpus > f.vcpu_ratio)
      return refusal::cpu;
    if (held)
      return refusal::tags;
  }
  return later_refusal(p, node, s, x, true);
}

refusal add_secondary(const placement& p, int node, node_state& s, int instance,
                      int primary, secondary_rules rules) {
  const auto& x = p.instances[at(instance)];
  auto was_short = s.short_of_memory;
  take_disk(p, node, s, x, 1);
  if (!x.forthcoming) {
    s.use[load_disk] += x.use[load_disk];
    ++s.secondaries;
    s.reserved = std::max(s.reserved, p.reserve(node, primary) + x.reserve);
    judge_memory(p, node, s);
  }
  auto hard = hard_refusal(p, node, s, x, rules.ignore_disk);
  if (hard != refusal::none)
    return hard;
  if (rules.ignore_soft)
    return refusal::none;
  if (!x.forthcoming) {
    auto disk
      = disk_refusal(p, node, x, s.free_disk, s.spindles, s.free_spindles);
    if (disk != refusal::none)
      return disk;
    if (x.reserve >= p.unallocated(node, s))
      return refusal::memory;
    if (s.short_of_memory && !was_short)
      return refusal::memory;
  }
  return later_refusal(p, node, s, x, false);
}

} // namespace orderly::planning
