// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A group that takes instances from other groups, one by one. Each comes only
// to a place where all limits hold and no node of the group loses N+1 or cover
// by it, so a plan may stop after any of them. May be asked to send one away
// again, and to make room by moves inside the group.

#pragma once

#include "actors/planning/groups/crossing.hpp"
#include "actors/planning/groups/group_cut.hpp"
#include "actors/planning/moves/moves.hpp"
#include "actors/planning/score/shared_n1.hpp"
#include "actors/planning/search/exact.hpp"

#include <functional>
#include <memory>

namespace orderly::planning {

/// How nodes are tried: those with the most room, or those that it fills best.
enum class fit { roomy, tight };

class landing {
public:
  /// `coming` are instances of the cluster, which are nowhere here at first.
  landing(group_cut cut, int group, const build_options& build);

  landing(const landing&) = delete;
  landing& operator=(const landing&) = delete;

  int group() const { return group_; }

  const placement& now() const { return p_; }

  /// The number here of an instance of the cluster; -1: it is not here.
  int local(int instance) const;

  /// Of a node here, its number in the cluster.
  int in_cluster(int node) const {
    return cut_.nodes[at(p_.node_index[at(node)])];
  }

  place in_cluster(place where) const;

  /// The opposite.
  place here(place in_cluster) const;

  /// Puts the instance on nodes here, if it may be there.
  bool put(int i, place where);

  /// Puts it where it fits.
  bool put(int i, fit how);

  /// It is nowhere again.
  void take(int i);

  /// Puts it after up to `moves` moves of others inside the group; they are
  /// added to `made`, in numbers of the cluster. `effort` counts down, and ends
  /// it at 0.
  bool make_room(int i, int moves, std::int64_t& effort,
                 std::vector<step>& made);

  /// Makes a move inside the group, if it may be and costs no N+1.
  bool shift(const move& m);

  /// What one more may have of the node's memory.
  mib free_memory(int node) const {
    return p_.unallocated(node, p_.states[at(node)]) - 1;
  }

private:
  /// What was settled, and the nodes as they were before.
  struct settled {
    int instance = -1;
    place to;
    outcome before;
  };

  bool settle(int i, const outcome& x);
  void undo(std::size_t left);
  bool put_pair(int i, fit how);
  std::vector<int> order(fit how) const;
  bool room_on(int node, mib lacks, int moves,
               const std::function<bool()>& fits);

  int group_;
  group_cut cut_;
  placement p_;
  shared_n1 n1_;
  std::vector<std::pair<int, int>> local_; ///< by number in the cluster
  std::vector<settled> done_;              ///< since make_room() began
  std::int64_t effort_ = 0;
};

} // namespace orderly::planning
