// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a group's nodes hold and could hold, as far as instances that can move
// are concerned: it gives the least number of nodes that must stay on, and
// chooses nodes that are large enough and leave little to move.

#pragma once

#include "actors/planning/squeeze/standby.hpp"

namespace orderly::planning {

/// Can it go to any node of its group?
bool can_go_anywhere(const placement& p, int instance);

/// Why no fewer nodes can stay on.
enum class squeeze_limit {
  one_stays, ///< a group keeps a node, whatever it holds
  fixed,     ///< the others hold what cannot move, or one is the master
  memory,    ///< of the instances, with the room that each node keeps
  cpus,      ///< the same
  a_loss,    ///< the others could not take over the greatest node's instances
};

struct least_nodes {
  int count = 0;
  squeeze_limit why = squeeze_limit::one_stays;
};

/// One group in which each node keeps `spare` free.
class squeeze_figures {
public:
  squeeze_figures(const placement& p, const std::vector<bool>& may_go,
                  const spare_room& spare);

  /// No set of fewer nodes can do, whatever is moved.
  least_nodes least() const;

  /// Nodes that stay on, `count` of them: those that hold most instances,
  /// unless they are too small together for what there is and a part more of
  /// it; then larger ones, and at last the largest. Nothing if even those are
  /// too small for what there is.
  std::optional<std::vector<bool>> choose(int count, double part) const;

private:
  struct one {
    int node = -1;
    bool may_go = false;
    double memory = 0; ///< that instances could have, beside the spare room
    double cpus = 0;
    double whole = 0; ///< memory, with the spare room
    int held = 0;     ///< instances that would have to go
  };

  struct sums {
    double memory = 0;
    double cpus = 0;
    double whole = 0;
    double greatest = 0;
  };

  void add(sums& s, const one& x) const;
  bool is_enough(const sums& s, double part) const;
  std::vector<bool> best(int count, double weight) const;
  sums sums_of(const std::vector<bool>& stays) const;
  std::vector<one> sorted(double one::*figure) const;

  std::vector<one> nodes_;
  std::size_t all_;   ///< nodes of the placement
  int fixed_ = 0;     ///< nodes that stay on anyhow
  double memory_ = 0; ///< that all need that can move
  double cpus_ = 0;
};

} // namespace orderly::planning
