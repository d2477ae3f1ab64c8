// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/landing.hpp"

#include "actors/planning/place/allocate.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

/// What takes an instance off its nodes.
outcome departure(const placement& p, int i) {
  outcome x;
  auto old = p.places[at(i)];
  auto add = [&](int node, const node_state& s) {
    x.nodes[at(x.count)] = node;
    x.states[at(x.count)] = s;
    ++x.count;
  };
  add(old.primary,
      without_primary(p, old.primary, p.states[at(old.primary)], i));
  if (old.secondary >= 0)
    add(old.secondary,
        without_secondary(p, old.secondary, p.states[at(old.secondary)], i,
                          old.primary));
  return x;
}

/// The nodes of an outcome as they are now.
outcome as_now(const placement& p, int i, const outcome& x) {
  auto r = x;
  r.where = p.places[at(i)];
  for (int k = 0; k < r.count; ++k)
    r.states[at(k)] = p.states[at(r.nodes[at(k)])];
  return r;
}

constexpr move any_move(int i) {
  return {i, move_kind::failover, -1};
}

} // namespace

landing::landing(group_cut cut, int group, const build_options& build)
  : group_(group), cut_(std::move(cut)), p_(cut_.part, group, build), n1_(p_) {
  for (int i = 0; i < p_.instance_count(); ++i)
    local_.emplace_back(cut_.instances[at(p_.instance_index[at(i)])], i);
  std::sort(local_.begin(), local_.end());
}

int landing::local(int instance) const {
  auto found
    = std::lower_bound(local_.begin(), local_.end(), std::pair{instance, -1});
  return found == local_.end() || found->first != instance ? -1 : found->second;
}

place landing::in_cluster(place where) const {
  return {in_cluster(where.primary),
          where.secondary < 0 ? -1 : in_cluster(where.secondary)};
}

place landing::here(place where) const {
  auto find = [this](int node) {
    for (int n = 0; n < p_.node_count(); ++n)
      if (in_cluster(n) == node)
        return n;
    return -1;
  };
  return {find(where.primary),
          where.secondary < 0 ? -1 : find(where.secondary)};
}

/// Takes back what was settled last, until so many are left.
void landing::undo(std::size_t left) {
  while (done_.size() > left) {
    auto last = std::move(done_.back());
    done_.pop_back();
    auto from = p_.places[at(last.instance)];
    make_move(p_, any_move(last.instance), last.before);
    n1_.follow(p_, last.instance, from);
  }
}

/// Makes it so if no node loses N+1 or cover.
bool landing::settle(int i, const outcome& x) {
  for (int k = 0; k < x.count; ++k)
    if (p_.facts[at(x.nodes[at(k)])].online && x.states[at(k)].short_of_memory
        && !p_.states[at(x.nodes[at(k)])].short_of_memory)
      return false;
  auto before = as_now(p_, i, x);
  auto from = p_.places[at(i)];
  make_move(p_, any_move(i), x);
  auto lost = n1_.follow(p_, i, from);
  done_.push_back({i, x.where, before});
  if (lost)
    undo(done_.size() - 1);
  return !lost;
}

bool landing::put(int i, place where) {
  for (auto n : {where.primary, where.secondary})
    if (n >= 0 && (!p_.facts[at(n)].online || p_.facts[at(n)].closed))
      return false;
  const auto& spec = spec_of(p_, i);
  for (auto n : {where.primary, where.secondary})
    if (n >= 0
        && policy_refusal(spec, p_.source->groups[at(group_)].policy,
                          p_.facts[at(n)].exclusive))
      return false;
  auto x = try_allocation(p_, i, where, false);
  return x.why == refusal::none && settle(i, x);
}

std::vector<int> landing::order(fit how) const {
  std::vector<std::pair<mib, int>> keys;
  for (int n = 0; n < p_.node_count(); ++n)
    if (p_.facts[at(n)].online)
      keys.emplace_back(how == fit::roomy ? -free_memory(n) : free_memory(n),
                        n);
  std::sort(keys.begin(), keys.end());
  std::vector<int> result;
  for (const auto& [key, n] : keys)
    result.push_back(n);
  return result;
}

bool landing::put_pair(int i, fit how) {
  const auto& x = p_.instances[at(i)];
  auto nodes = order(how);
  std::vector<int> hosts;
  std::vector<int> mirrors;
  for (auto n : nodes) {
    const auto& s = p_.states[at(n)];
    if (s.free_disk <= x.disk || !p_.storage.reaches(n, i)
        || free_memory(n) < x.reserve)
      continue;
    mirrors.push_back(n);
    if (free_memory(n) - s.reserved >= x.memory)
      hosts.push_back(n);
  }
  for (auto h : hosts) {
    // The host by itself says at once what no mirror would change.
    if (try_allocation(p_, i, {h, -1}, false).why != refusal::none)
      continue;
    for (auto m : mirrors)
      if (m != h && put(i, {h, m}))
        return true;
  }
  return false;
}

bool landing::put(int i, fit how) {
  const auto& x = p_.instances[at(i)];
  if (x.mirrored)
    return put_pair(i, how);
  for (auto n : order(how))
    if (free_memory(n) - p_.states[at(n)].reserved >= x.memory
        && put(i, {n, -1}))
      return true;
  return false;
}

void landing::take(int i) {
  auto from = p_.places[at(i)];
  make_move(p_, any_move(i), departure(p_, i));
  n1_.follow(p_, i, from);
}

bool landing::shift(const move& m) {
  auto x = try_move(p_, m, false);
  return x.why == refusal::none && settle(m.instance, x);
}

/// Moves others off the node, to where they fit by themselves or after more
/// such moves, until it fits.
bool landing::room_on(int node, mib lacks, int moves,
                      const std::function<bool()>& fits) {
  std::vector<std::pair<mib, int>> others;
  for (int k = 0; k < p_.instance_count(); ++k)
    if (p_.places[at(k)].primary == node && p_.instances[at(k)].movable
        && !p_.instances[at(k)].mirrored
        && p_.instances[at(k)].memory >= std::max<mib>(1, lacks))
      others.emplace_back(p_.instances[at(k)].memory, k);
  std::sort(others.begin(), others.end());
  auto nodes = order(fit::tight);
  for (const auto& [memory, k] : others)
    for (auto n : nodes) {
      if (--effort_ <= 0)
        return false;
      if (n == node)
        continue;
      move m{k, move_kind::failover_to, n};
      auto before = done_.size();
      auto needed = memory + p_.states[at(n)].reserved - free_memory(n);
      auto gone
        = shift(m)
          || (moves > 1 && needed > 0
              && room_on(n, needed, moves - 1, [&] { return shift(m); }));
      if (gone && fits())
        return true;
      undo(before);
    }
  return false;
}

bool landing::make_room(int i, int moves, std::int64_t& effort,
                        std::vector<step>& made) {
  if (p_.instances[at(i)].mirrored || moves <= 0)
    return false;
  done_.clear();
  effort_ = effort;
  auto found = false;
  for (auto n : order(fit::roomy)) {
    if (found || effort_ <= 0)
      break;
    if (!p_.storage.reaches(n, i))
      continue;
    auto lacks
      = p_.instances[at(i)].memory + p_.states[at(n)].reserved - free_memory(n);
    found = room_on(n, lacks, moves, [&] { return put(i, place{n, -1}); });
  }
  effort = std::max<std::int64_t>(0, effort_);
  for (const auto& x : done_) {
    if (x.instance == i)
      continue;
    auto to = x.to;
    made.push_back({{cut_.instances[at(p_.instance_index[at(x.instance)])],
                     move_kind::failover_to, in_cluster(to.primary)},
                    in_cluster(x.before.where),
                    in_cluster(to),
                    0});
  }
  done_.clear();
  return found;
}

} // namespace orderly::planning
