// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What mirrors hold in the simulated world. While both copies see each other
// every write is in both. A copy that is written to alone begins a generation
// of its own; when the two meet again, the one that only lags behind catches
// up, and if each has writes that the other lacks, they have diverged.

#include "sim/world/world.hpp"

#include <algorithm>
#include <utility>

namespace orderly::sim {

bool world::replicates(const node_name& a, const node_name& b) const {
  return booted(a) && booted(b) && !nodes_.at(a).storage_cut
         && !nodes_.at(b).storage_cut && passes(a, b) && passes(b, a);
}

void world::compare_copies(const instance_name& name) {
  auto i = copies_.find(name);
  if (i == copies_.end() || i->second.size() != 2)
    return;
  const auto& first = *i->second.begin();
  const auto& second = *i->second.rbegin();
  auto& ages = generations_[name];
  auto& a = ages[first];
  auto& b = ages[second];
  if (replicates(first, second)) {
    if (a.now == b.now)
      return;
    if (b.before.count(a.now) > 0)
      a = b;
    else if (a.before.count(b.now) > 0)
      b = a;
    else if (diverged_.insert(name).second)
      tell("mirror of " + name + " diverged: " + first + " and " + second
           + " each have writes of their own");
    if (in_step(name))
      apart_since_.erase(name);
    return;
  }
  auto write_alone = [&](generation& x, const generation& other) {
    if (x.now != other.now && other.before.count(x.now) == 0)
      return;
    x.before.insert(x.now);
    x.now = ++last_generation_;
  };
  if (runs_on(name, first))
    write_alone(a, b);
  if (runs_on(name, second))
    write_alone(b, a);
  if (!in_step(name))
    apart_since_.try_emplace(name, now_);
}

instant world::behind_since(const instance_name& name,
                            const node_name& node) const {
  auto since = apart_since_.find(name);
  auto ages = generations_.find(name);
  if (since == apart_since_.end() || ages == generations_.end()
      || diverged(name))
    return never;
  auto own = ages->second.find(node);
  auto lacks = own != ages->second.end()
               && std::any_of(
                 ages->second.begin(), ages->second.end(), [&](const auto& x) {
                   return x.second.before.count(own->second.now) > 0;
                 });
  return lacks ? since->second : never;
}

void world::compare_copies_on(const node_name& name) {
  for (const auto& [instance, where] : copies_)
    if (where.count(name) > 0)
      compare_copies(instance);
}

bool world::in_step(const instance_name& name) const {
  auto i = generations_.find(name);
  if (i == generations_.end())
    return true;
  const auto& ages = i->second;
  return ages.begin()->second.now == ages.rbegin()->second.now;
}

instant world::apart_since(const instance_name& name) const {
  auto i = apart_since_.find(name);
  return i == apart_since_.end() ? never : i->second;
}

// Its disks stay what they are, faults and all; only their name changes.
void world::rename(const instance_name& name, const instance_name& to) {
  auto where = homes(name);
  stop_everywhere(name);
  auto move = [&](auto& all) {
    all.erase(to); // of one that bore that name before
    if (auto entry = all.extract(name)) {
      entry.key() = to;
      all.insert(std::move(entry));
    }
  };
  move(copies_);
  move(faulty_mirrors_);
  move(generations_);
  move(apart_since_);
  diverged_.erase(to);
  if (diverged_.erase(name) > 0)
    diverged_.insert(to);
  for (auto& x : losses_)
    if (x.instance == name)
      x.instance = to;
  for (auto& x : overwritings_)
    if (x.instance == name)
      x.instance = to;
  for (auto& [node, x] : nodes_)
    if (x.ran.erase(name) > 0)
      x.ran.insert(to);
  ++version_;
  for (const auto& node : where)
    start(to, node);
}

void world::forget(const instance_name& name) {
  stop_everywhere(name);
  copies_.erase(name);
  faulty_mirrors_.erase(name);
  generations_.erase(name);
  apart_since_.erase(name);
  diverged_.erase(name);
  for (auto& [node, x] : nodes_)
    x.ran.erase(name);
  ++version_;
}

void world::synchronize(const instance_name& name, const node_name& source,
                        std::set<node_name> where) {
  for (const auto& other : copies(name))
    if (other != source && diverged(name))
      overwritings_.push_back({name, now_, other, apart_since(name)});
  faulty_mirrors_.erase(name);
  set_copies(name, std::move(where));
}

void world::set_autostart(const node_name& name, bool on) {
  at(name).autostart = on;
  ++version_;
  tell("autostart " + name + (on ? " on" : " off"));
}

void world::boot_up(sim_node& x) {
  x.boots_until = now_ + boot_time;
  booting_.insert(x.name);
}

void world::advance(instant now) {
  if (now > now_)
    now_ = now;
  for (auto i = booting_.begin(); i != booting_.end();) {
    auto& x = nodes_.at(*i);
    if (x.boots_until > now_) {
      ++i;
      continue;
    }
    i = booting_.erase(i);
    compare_copies_on(x.name);
    for (const auto& name : std::exchange(x.ran, {})) {
      // Its own disks must still be its data, and open nowhere else.
      const auto& data = copies(name);
      auto held = !data.empty() && data.count(x.name) == 0;
      for (const auto& home : homes(name))
        held = held || (!data.empty() && replicates(home, x.name));
      if (held || !start(name, x.name))
        continue;
      autostarted_[name] = {x.name, now_};
      tell("the boot of " + x.name + " starts " + name);
    }
  }
}

} // namespace orderly::sim
