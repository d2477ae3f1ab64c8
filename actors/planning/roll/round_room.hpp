// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Do some nodes fit into one round? While they are down their mirrored
// instances run on their mirrors, all others that can move run on a node of
// their group, and all of them have their memory there. Limits that are wishes
// do not count, as when a node is evacuated. fast_roll.cpp asks, and so does
// roll_bound.cpp.

#pragma once

#include "actors/planning/roll/roll.hpp"

#include <variant>

namespace orderly::planning {

/// Why a node cannot be restarted.
enum class obstacle {
  mirror_offline,  ///< of an instance that runs there
  mirror_memory,   ///< there is not enough for all that come from there
  migration,       ///< tags of nodes forbid it
  memory,          ///< no node that may take the instance has so much left
  primary_offline, ///< its mirror cannot be made anew
  mirror_disk,     ///< no node has room for it
};

struct hindrance {
  obstacle why = obstacle::memory;
  int instance = -1;
  int other = -1; ///< the node where its other half is
  mib needed = 0;
  mib free = 0;
};

class round_room {
public:
  /// `p` is of the whole cluster and must outlive it.
  round_room(const placement& p, roll_rules rules);

  /// Memory that instances of a node take on another, all or one of them.
  struct demand {
    int node = -1;
    mib memory = 0;
  };

  int node_count() const { return p_.node_count(); }

  /// The nodes that hold other halves of what it holds; ascending.
  const std::vector<int>& rivals(int node) const { return rivals_[at(node)]; }

  /// What comes to the mirrors of its instances.
  const std::vector<demand>& demands(int node) const {
    return demands_[at(node)];
  }

  /// Of the nodes that have mirrors on it: what comes to it.
  const std::vector<demand>& sources(int node) const {
    return sources_[at(node)];
  }

  /// What may come to it so that a MiB is left.
  mib room(int node) const { return room_[at(node)]; }

  /// What can go to any node of its group.
  mib shared_memory(int node) const { return shared_memory_[at(node)]; }

  int group_count() const { return static_cast<int>(p_.source->groups.size()); }

  int group(int node) const { return p_.source->nodes[at(node)].group; }

  bool is_online(int node) const { return p_.facts[at(node)].online; }

  /// Is there anything whose place is not given?
  bool has_choice() const { return has_choice_; }

  /// Where the instances are while these nodes are down, or what hinders it.
  /// No two of them are rivals.
  std::variant<std::vector<round_move>, hindrance>
  place_all(const std::vector<int>& down) const;

private:
  friend class round_filler;

  void take_instance(int instance);
  void take_mirrored(int instance, place where);

  const placement& p_;
  roll_rules rules_;
  bool has_choice_ = false;
  std::vector<std::vector<int>> rivals_;
  std::vector<std::vector<demand>> demands_;
  std::vector<std::vector<demand>> sources_;
  std::vector<mib> room_;
  std::vector<mib> shared_memory_;
  std::vector<std::vector<int>> mirrored_; ///< primaries with a mirror
  std::vector<std::vector<int>> mirrors_;  ///< of others, that are there
  std::vector<std::vector<int>> shared_;   ///< that run and can move
};

} // namespace orderly::planning
