// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where an instance may go: which nodes, and which groups beside its own, and
// for each other group what keeps it out. Whoever plans across groups asks
// here first, and hgroups shows it.

#pragma once

#include "actors/planning/model/cluster.hpp"

namespace orderly::planning {

/// What may cross from group to group at all. Each allows what those before it
/// do.
enum class group_moves {
  none,
  asked,     ///< what a person asked for
  repair,    ///< also what makes a group well again
  automatic, ///< also what only makes load even
};

/// Why somebody wants an instance to cross.
enum class crossing_cause { asked, repair, evenness };

/// Does the permission cover the cause?
bool permits(group_moves allowed, crossing_cause cause);

/// What keeps an instance out of a group; the first that holds.
enum class barrier {
  none,
  permission,  ///< crossing is not allowed for this cause
  tag,         ///< htools:groupmoves:none on the cluster, a group or it
  excluded,    ///< somebody wants it left alone
  own_disks,   ///< its disks are on its node and cannot be copied
  apart,       ///< its mirror is in another group already
  no_copy,     ///< no node that holds its disks is in service
  unallocable, ///< the group takes nothing, by its policy
  no_node,     ///< too few nodes of the group are in service
  network,     ///< the group lacks a network of the instance
  policy,      ///< it is larger or smaller than the group's policy allows
  storage,     ///< too few nodes in service reach its pool
  migration,   ///< tags forbid it to come from its node
};

struct crossing_rules {
  group_moves allowed = group_moves::none;
  crossing_cause cause = crossing_cause::asked;
};

/// The tag that forbids crossing.
inline constexpr const char* no_group_moves = "htools:groupmoves:none";

/// Answers for one cluster, which must outlive it.
class crossing_map {
public:
  crossing_map(const cluster& c, crossing_rules rules);

  /// The group of the instance's node; -1 if it is nowhere.
  int home(int instance) const;

  /// What keeps it out of `group`, which is not its own.
  barrier into(int instance, int group) const;

  bool may_enter(int instance, int group) const {
    return into(instance, group) == barrier::none;
  }

  /// May it enter any group beside its own?
  bool may_leave(int instance) const;

  crossing_rules rules() const { return rules_; }

  /// Nodes in service of the group that reach its volumes and that it may come
  /// to from where it is: for its own group all that could take it over.
  std::vector<int> nodes_for(int instance, int group) const;

private:
  barrier out_of_home(int instance) const;
  bool reaches(int node, int instance) const;
  bool may_come(int node, int instance) const;

  const cluster& c_;
  crossing_rules rules_;
  bool forbidden_;                        ///< by a tag of the cluster
  std::vector<bool> closed_;              ///< groups, by their tag
  std::vector<std::vector<int>> nodes_;   ///< of each group, in service
  std::vector<std::vector<int>> demands_; ///< of each node on its targets
  std::vector<std::vector<int>> accepts_; ///< of each node
  bool any_demand_;
};

/// One source of volumes, and the groups of which a node in service reaches
/// it. An instance with volumes there never leaves these groups.
struct storage_partition {
  storage_pool pool;
  std::vector<int> groups;
  std::int64_t instances = 0; ///< with volumes in it
  mib memory = 0;             ///< of these
};

/// In the order of their pools: those that any instance uses or any node says
/// that it reaches.
std::vector<storage_partition> partitions_of(const cluster& c);

/// Groups that share no partition with any other.
std::vector<int> lone_groups(const cluster& c,
                             const std::vector<storage_partition>& all);

} // namespace orderly::planning
