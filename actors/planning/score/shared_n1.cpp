// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/score/shared_n1.hpp"

#include <algorithm>
#include <functional>

namespace orderly::planning {

bool needs_shared_room(const placement& p, int instance) {
  const auto& spec = p.source->instances[at(p.instance_index[at(instance)])];
  const auto& x = p.instances[at(instance)];
  auto anywhere = can_move(spec.disks) || spec.disks == disk_template::diskless;
  return anywhere && !x.mirrored && x.memory > 0 && x.reserve > 0;
}

void shared_n1::list::set(int node, mib memory) {
  auto& now = now_[at(node)];
  memory = std::max<mib>(memory, 0);
  if (memory == now)
    return;
  if (now != absent)
    rooms_.erase(
      std::lower_bound(rooms_.begin(), rooms_.end(), room{now, node}));
  now = memory;
  room x{memory, node};
  rooms_.insert(std::lower_bound(rooms_.begin(), rooms_.end(), x), x);
}

shared_n1::shared_n1(const placement& p)
  : sizes_(p.states.size()),
    rooms_(p.states.size()),
    sure_rooms_(p.states.size()),
    pools_(p.storage.any()),
    covered_(p.states.size(), true) {
  for (int i = 0; i < p.instance_count(); ++i)
    if (needs_shared_room(p, i)) {
      greatest_ = std::max(greatest_, p.instances[at(i)].memory);
      shift(p.places[at(i)].primary,
            {p.instances[at(i)].memory, p.storage.pool(i)}, true);
    }
  if (!concerned())
    return;
  for (int n = 0; n < p.node_count(); ++n)
    measure(p, n);
  judge(p);
}

void shared_n1::measure(const placement& p, int node) {
  if (!p.facts[at(node)].online)
    return;
  const auto& s = p.states[at(node)];
  rooms_.set(node, p.unallocated(node, s));
  sure_rooms_.set(node, p.unallocated(node, s) - s.reserved);
}

void shared_n1::shift(int node, share x, bool in) {
  if (node < 0)
    return; // it is not anywhere yet
  auto& all = sizes_[at(node)];
  auto where = std::lower_bound(all.begin(), all.end(), x);
  if (in)
    all.insert(where, x);
  else
    all.erase(where);
  most_ = std::max(most_, all.size());
}

bool shared_n1::enough_for(std::size_t instances, std::size_t changed,
                           mib greatest) const {
  // So many nodes that each instance of the dying one gets an empty one, even
  // if the dying one and those that change are among them.
  auto needed = instances + 1 + changed;
  const auto& rooms = sure_rooms_.rooms();
  return rooms.size() >= needed && rooms[needed - 1].memory > greatest;
}

/// Greatest instance first, each to the node with the most room left.
bool shared_n1::can_spread(const placement& p, int node) {
  const auto& rooms = rooms_.rooms();
  auto less = [](const room& a, const room& b) { return b < a; };
  std::size_t next = 0;
  heap_.clear();
  for (const auto& held : sizes_[at(node)]) {
    auto size = held.memory;
    // Who is further down the list has less room, whatever it reserves.
    while (next < rooms.size()
           && (heap_.empty() || !(heap_.front().memory > rooms[next].memory))) {
      auto x = rooms[next++];
      if (x.node == node)
        continue;
      x.memory -= p.reserve(x.node, node);
      heap_.push_back(x);
      std::push_heap(heap_.begin(), heap_.end(), less);
    }
    if (heap_.empty() || heap_.front().memory <= size)
      return false;
    std::pop_heap(heap_.begin(), heap_.end(), less);
    heap_.back().memory -= size;
    std::push_heap(heap_.begin(), heap_.end(), less);
  }
  return true;
}

/// The same, to the nodes that reach the pool, and to the end.
mib shared_n1::unplaced(const placement& p, int node) {
  heap_.clear();
  for (auto x : rooms_.rooms()) {
    x.memory -= p.reserve(x.node, node);
    if (x.node != node)
      heap_.push_back(x);
  }
  mib result = 0;
  for (const auto& held : sizes_[at(node)]) {
    room* best = nullptr;
    for (auto& x : heap_)
      if (p.storage.reaches_pool(x.node, held.pool) && (!best || x < *best))
        best = &x;
    if (!best || best->memory <= held.memory)
      result += held.memory;
    else
      best->memory -= held.memory;
  }
  return result;
}

bool shared_n1::judge(const placement& p) {
  auto all = !pools_ && enough_for(most_, 0, greatest_);
  if (all && uncovered_ == 0)
    return false;
  auto lost = false;
  uncovered_ = 0;
  for (int n = 0; n < p.node_count(); ++n) {
    const auto& sizes = sizes_[at(n)];
    auto now = all || !p.facts[at(n)].online || sizes.empty()
               || (pools_ ? unplaced(p, n) == 0
                          : enough_for(sizes.size(), 0, sizes.front().memory)
                              || can_spread(p, n));
    lost |= covered_[at(n)] && !now;
    covered_[at(n)] = now;
    uncovered_ += now ? 0 : 1;
  }
  return lost;
}

bool shared_n1::follow(const placement& p, int instance, place from) {
  if (!concerned())
    return false;
  auto to = p.places[at(instance)];
  if (needs_shared_room(p, instance)) {
    share x{p.instances[at(instance)].memory, p.storage.pool(instance)};
    shift(from.primary, x, false);
    shift(to.primary, x, true);
  }
  for (auto n : {from.primary, from.secondary, to.primary, to.secondary})
    if (n >= 0)
      measure(p, n);
  return judge(p);
}

} // namespace orderly::planning
