// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// N+1 for shared storage: when a node dies, is there memory on the others for
// its instances that no mirror pins down? docs/policies/planning.md gives the
// definition; this keeps the answer for every node while instances move. The
// fast search forbids, or counts, nodes that lose it.

#pragma once

#include "actors/planning/moves/moves.hpp"

#include <vector>

namespace orderly::planning {

/// Must somebody else be able to run it when its node dies, whoever that is?
bool needs_shared_room(const placement& p, int instance);

class shared_n1 {
public:
  explicit shared_n1(const placement& p);

  /// Is there anything to cover at all?
  bool concerned() const { return greatest_ > 0; }

  /// Could the others take over the node's shared instances?
  bool covered(int node) const {
    return covered_[static_cast<std::size_t>(node)];
  }

  /// Memory of the node's shared instances that the others have no room for,
  /// each placed by itself; 0 if it is covered.
  mib unplaced(const placement& p, int node);

  /// Nodes that are not covered.
  int uncovered() const { return uncovered_; }

  /// Is there so much room that so many moves cannot uncover a node?
  bool has_plenty(std::size_t moves) const {
    return !pools_ && enough_for(most_ + moves, 3 * moves, greatest_);
  }

  /// The instance came from `from`, and `p` knows it. Says whether a node
  /// that was covered is not any more. The opposite move undoes it.
  bool follow(const placement& p, int instance, place from);

private:
  struct room {
    mib memory = 0;
    int node = -1;

    bool operator<(const room& x) const {
      return memory != x.memory ? memory > x.memory : node < x.node;
    }
  };

  /// What a node holds: the greatest first, of equals by the pool's number.
  struct share {
    mib memory = 0;
    int pool = -1;

    bool operator<(const share& x) const {
      return memory != x.memory ? memory > x.memory : pool < x.pool;
    }
  };

  /// Room of online nodes, greatest first.
  class list {
  public:
    explicit list(std::size_t nodes) : now_(nodes, absent) {}

    void set(int node, mib memory);

    const std::vector<room>& rooms() const { return rooms_; }

  private:
    static constexpr mib absent = -1;
    std::vector<mib> now_;
    std::vector<room> rooms_;
  };

  bool can_spread(const placement& p, int node);
  bool enough_for(std::size_t instances, std::size_t changed,
                  mib greatest) const;
  void measure(const placement& p, int node);
  void shift(int node, share x, bool in);
  bool judge(const placement& p);

  std::vector<std::vector<share>> sizes_; ///< on each node
  list rooms_;                            ///< unallocated memory
  list sure_rooms_; ///< the same without what mirrors reserve
  bool pools_;      ///< not every node reaches everything
  std::vector<bool> covered_;
  std::vector<room> heap_; ///< scratch
  int uncovered_ = 0;
  mib greatest_ = 0;     ///< of all sizes
  std::size_t most_ = 0; ///< instances that any node ever had
};

} // namespace orderly::planning
