// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a node has, counted from the specifications of a cluster alone and by
// the words of docs/policies/planning.md: nothing here is shared with what
// plans. Of clusters in which nothing is missing, forthcoming or exclusive.

#pragma once

#include "actors/planning/model/cluster.hpp"

#include <algorithm>
#include <map>

namespace orderly::planning {

class plain_rules {
public:
  explicit plain_rules(cluster c) : c_(std::move(c)) {
    // nop
  }

  cluster& now() { return c_; }

  double free_memory(int node) const {
    const auto& n = c_.nodes[at(node)];
    auto result = n.total_memory - static_cast<double>(n.node_memory);
    for (const auto& i : c_.instances)
      if (i.primary == node && runs(i))
        result -= static_cast<double>(i.memory);
    return result;
  }

  double free_cpus(int node) const {
    const auto& n = c_.nodes[at(node)];
    auto result = c_.groups[at(n.group)].policy.vcpu_ratio * n.total_cpus
                  - static_cast<double>(n.node_cpus);
    for (const auto& i : c_.instances)
      if (i.primary == node)
        result -= static_cast<double>(i.vcpus);
    return result;
  }

  /// What it keeps for the mirrored instances of `primary`.
  double kept_for(int node, int primary) const {
    double result = 0;
    for (const auto& i : c_.instances)
      if (i.secondary == node && i.primary == primary && i.auto_balance)
        result += static_cast<double>(i.memory);
    return result;
  }

  bool has_n1(int node) const {
    double most = 0;
    for (int q = 0; q < count(); ++q)
      most = std::max(most, kept_for(node, q));
    return free_memory(node) > most;
  }

  /// Greatest first, to the node of the group with the most room that reaches
  /// its pool, the first of equals; equal ones in the order of their pools.
  bool is_covered(int lost) const {
    std::vector<const instance_spec*> held;
    for (const auto& i : c_.instances)
      if (i.primary == lost && runs(i) && i.auto_balance && is_shared(i))
        held.push_back(&i);
    std::sort(held.begin(), held.end(), [](const auto* a, const auto* b) {
      return std::pair{-a->memory, a->storage}
             < std::pair{-b->memory, b->storage};
    });
    std::map<int, double> room;
    for (int n = 0; n < count(); ++n)
      if (n != lost && is_on(n)
          && c_.nodes[at(n)].group == c_.nodes[at(lost)].group)
        room[n] = free_memory(n) - kept_for(n, lost);
    for (const auto* i : held) {
      auto best = -1;
      for (const auto& [n, free] : room)
        if (reaches(n, *i) && (best < 0 || free > room[best]))
          best = n;
      if (best < 0 || room[best] <= static_cast<double>(i->memory))
        return false;
      room[best] -= static_cast<double>(i->memory);
    }
    return true;
  }

  /// As far as both say something.
  bool reaches(int node, const instance_spec& i) const {
    const auto& pools = c_.nodes[at(node)].pools;
    return !pools || !i.storage
           || std::find(pools->begin(), pools->end(), *i.storage)
                != pools->end();
  }

  /// How often an excluding tag is on the node beside itself.
  int conflicts(int node) const {
    std::map<std::string, int> tags;
    for (const auto& i : c_.instances)
      if (i.primary == node)
        for (const auto& t : i.tags)
          ++tags[t];
    int result = 0;
    for (const auto& [tag, n] : tags)
      result += n - 1;
    return result;
  }

  bool has_room(int node, double memory, double cpus) const {
    double most = 0;
    for (int q = 0; q < count(); ++q)
      most = std::max(most, kept_for(node, q));
    // What is down could be started, too.
    double down = 0;
    for (const auto& i : c_.instances)
      if (i.primary == node && !runs(i))
        down += static_cast<double>(i.memory);
    return free_memory(node) - down > memory
           && free_memory(node) - memory > most && free_cpus(node) >= cpus;
  }

  int group_of(int node) const { return c_.nodes[at(node)].group; }

  bool is_on(int node) const { return !c_.nodes[at(node)].offline; }

  int count() const { return static_cast<int>(c_.nodes.size()); }

  int instances_on(int node) const {
    return static_cast<int>(std::count_if(
      c_.instances.begin(), c_.instances.end(), [node](const instance_spec& i) {
        return i.primary == node || i.secondary == node;
      }));
  }

  static bool is_shared(const instance_spec& i) {
    return i.disks != disk_template::drbd && i.disks != disk_template::plain
           && i.disks != disk_template::file;
  }

  static bool runs(const instance_spec& i) {
    return i.status == instance_status::running;
  }

private:
  cluster c_;
};

} // namespace orderly::planning
