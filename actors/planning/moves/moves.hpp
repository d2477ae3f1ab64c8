// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The moves of an instance and what they may and do change: the rules by
// which Ganeti's tools decide whether a node can take an instance. Every
// search goes through here.

#pragma once

#include "actors/planning/moves/placement.hpp"

namespace orderly::planning {

enum class move_kind {
  failover,             ///< to the secondary
  failover_to,          ///< to any node that reaches the storage
  replace_secondary,    ///< the mirror goes to the target
  replace_and_failover, ///< the target becomes primary, it the secondary
  replace_primary,      ///< the target becomes primary
  failover_and_replace, ///< the secondary takes over, target the mirror
};

struct move {
  int instance = -1;
  move_kind kind = move_kind::failover;
  int target = -1; ///< no node for a plain failover

  bool operator==(const move&) const = default;
};

/// Why a node does not take an instance; Ganeti's names.
enum class refusal {
  none,
  memory,
  disk,
  cpu,
  tags,
  spindles,
  migration,
  closed,  ///< not Ganeti's: somebody wants one of its nodes left alone
  storage, ///< nor this: it does not reach the instance's pool
  /// Nor this: a mirror would be made on a node that is not online, or copied
  /// from a dead one.
  out_of_service,
};

/// What a move makes of up to three nodes.
struct outcome {
  refusal why = refusal::none;
  place where;
  int count = 0;
  std::array<int, 3> nodes{};
  std::array<node_state, 3> states{};
};

/// Where the move puts the instance.
place destination(const placement& p, const move& m);

/// The same of an instance that is at `old`.
place destination(place old, const move& m);

/// What the nodes would be; `ignore_soft` drops the limits that are wishes.
outcome try_move(const placement& p, const move& m, bool ignore_soft);

/// Makes it so. `x` is what try_move answered, without a refusal.
void make_move(placement& p, const move& m, const outcome& x);

// The parts of a move, for the scan of scan.hpp.

node_state without_primary(const placement& p, int node, const node_state& s,
                           int instance);

/// `primary` is where the instance's primary was.
node_state without_secondary(const placement& p, int node, const node_state& s,
                             int instance, int primary);

/// `at` is where the instance will be: it decides its location score.
refusal add_primary(const placement& p, int node, node_state& s, int instance,
                    place at, bool ignore_soft);

struct secondary_rules {
  bool ignore_disk = false;
  bool ignore_soft = false;
};

/// `s.reserved` must be right for all other instances.
refusal add_secondary(const placement& p, int node, node_state& s, int instance,
                      int primary, secondary_rules rules);

} // namespace orderly::planning
