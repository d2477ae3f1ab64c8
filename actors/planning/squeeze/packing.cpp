// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/squeeze/packing.hpp"

#include <algorithm>

namespace orderly::planning {

packing::packing(placement& p, trial& t, const std::vector<bool>& stays,
                 const spare_room& spare, packing_order how)
  : p_(p),
    t_(t),
    stays_(stays),
    spare_(spare),
    how_(how),
    held_(p.states.size()),
    listed_(p.states.size(), 0) {
  for (int i = 0; i < p.instance_count(); ++i)
    if (can_go_anywhere(p, i))
      held_[at(p.places[at(i)].primary)].push_back(i);
  for (int n = 0; n < p.node_count(); ++n)
    if (stays_[at(n)]) {
      listed_[at(n)] = room_of(n);
      rooms_.emplace(listed_[at(n)], n);
    }
}

mib packing::room_of(int node) const {
  const auto& s = p_.states[at(node)];
  return p_.unallocated(node, s) - s.reserved;
}

bool packing::is_well(int node, const node_state& s) const {
  return !s.short_of_memory && has_room(p_, node, s, spare_);
}

bool packing::run(bool partly) {
  for (int n = 0; n < p_.node_count(); ++n)
    if (stays_[at(n)] && !relieve(n) && !partly)
      return false;
  std::vector<int> leaving;
  for (int n = 0; n < p_.node_count(); ++n)
    if (!stays_[at(n)])
      leaving.insert(leaving.end(), held_[at(n)].begin(), held_[at(n)].end());
  std::stable_sort(leaving.begin(), leaving.end(), [this](int a, int b) {
    const auto& x = p_.instances[at(a)];
    const auto& y = p_.instances[at(b)];
    return x.memory != y.memory ? x.memory > y.memory : x.vcpus > y.vcpus;
  });
  auto none = -1;
  for (auto i : leaving)
    if (!place_one(i, none) && !make_way(i) && !partly)
      return false;
  return true;
}

/// Instances leave until there is the spare room.
bool packing::relieve(int node) {
  while (!is_well(node, p_.states[at(node)])) {
    auto i = first_to_leave(node);
    if (i < 0 || !place_one(i, node))
      return false;
  }
  return true;
}

/// The smallest one that is enough alone, or else the largest.
int packing::first_to_leave(int node) const {
  auto all = held_[at(node)];
  std::stable_sort(all.begin(), all.end(), [this](int a, int b) {
    return p_.instances[at(a)].memory < p_.instances[at(b)].memory;
  });
  for (auto i : all)
    if (is_well(node, without_primary(p_, node, p_.states[at(node)], i)))
      return i;
  return all.empty() ? -1 : all.back();
}

bool packing::place_one(int instance, int but) {
  auto needed = p_.instances[at(instance)].memory;
  // Where go() succeeds it changes the rooms; then nobody looks on.
  auto fits = [&](int node) { return node != but && go(instance, node); };
  if (how_ == packing_order::roomy) {
    for (auto x = rooms_.rbegin(); x != rooms_.rend() && x->first > needed; ++x)
      if (fits(x->second))
        return true;
    return false;
  }
  auto least = needed + spare_.memory;
  for (auto x = rooms_.upper_bound({least, -1}); x != rooms_.end(); ++x)
    if (fits(x->second))
      return true;
  return false;
}

/// On the roomiest nodes, somebody smaller goes elsewhere for it.
bool packing::make_way(int instance) {
  constexpr std::size_t asked = 24;
  std::vector<int> nodes;
  for (auto x = rooms_.rbegin(); x != rooms_.rend() && nodes.size() < asked;
       ++x)
    nodes.push_back(x->second);
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](int n) { return change_places(instance, n); });
}

bool packing::change_places(int instance, int node) {
  if (p_.places[at(instance)].primary == node)
    return false;
  auto needed = p_.instances[at(instance)].memory;
  auto made = made_.size();
  for (auto i : std::vector<int>{held_[at(node)]}) {
    auto memory = p_.instances[at(i)].memory;
    if (memory >= needed || listed_[at(node)] + memory <= needed)
      continue;
    if (place_one(i, node) && go(instance, node))
      return true;
    undo(made);
  }
  return false;
}

/// Moves it if all limits allow it and the spare room is left.
bool packing::go(int instance, int target) {
  auto from = p_.places[at(instance)].primary;
  if (from == target)
    return false;
  move m{instance, move_kind::failover_to, target};
  auto x = try_move(p_, m, false);
  if (x.why != refusal::none)
    return false;
  for (int k = 0; k < x.count; ++k)
    if (x.nodes[at(k)] == target && !is_well(target, x.states[at(k)]))
      return false;
  t_.make(m, x);
  made_.push_back({instance, from, target});
  shift(instance, from, target);
  return true;
}

void packing::undo(std::size_t left) {
  t_.undo(t_.size() - (made_.size() - left));
  for (; made_.size() > left; made_.pop_back()) {
    const auto& x = made_.back();
    shift(x.instance, x.to, x.from);
  }
}

void packing::shift(int instance, int from, int to) {
  auto& old = held_[at(from)];
  old.erase(std::find(old.begin(), old.end(), instance));
  held_[at(to)].push_back(instance);
  for (auto n : {from, to})
    if (stays_[at(n)]) {
      rooms_.erase({listed_[at(n)], n});
      listed_[at(n)] = room_of(n);
      rooms_.emplace(listed_[at(n)], n);
    }
}

} // namespace orderly::planning
