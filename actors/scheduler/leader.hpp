// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The leader: the one owner of the right to act. A lease is held while the
// cluster itself says, in a reading begun not long ago, that this host is its
// master. No lease, no action. Everybody else has it from here, and asks
// `why_no_right` last, right before something leaves.

#pragma once

#include "actors/shell/alarm.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/leader.hpp"

#include <deque>

namespace orderly {

/// Whom the leader works with.
struct leader_peers {
  journal_actor journal;
  std::vector<lease_client> told; ///< of the right to act, in this order
};

/// A time without the right to act, although nobody else had it.
struct lease_gap {
  instant from;
  instant to;
};

struct leader_state {
  static inline const char* name = "leader";

  context_ptr ctx;
  leader_peers peers;
  lease held;
  alarm end;           ///< of the lease, and of the silence after it
  bool ending = false; ///< the clocks jumped: all begins anew
  bool silent = false; ///< no answer came in time since a lease, or the start
  instant lost_at;     ///< of the right; `never`: it is held, or never was
  std::deque<lease_gap> gaps; ///< the last ones
  bool gaps_told = false;     ///< that they are much of the time
};

/// Why `right` lets nobody act at `at`; empty: it does. A lease that ran out is
/// none, whether or not its owner was told; neither is one from before a jump
/// of the clocks, which the actor clock does not show.
std::string why_no_right(const context& ctx, const lease& right, instant at);

/// When the cluster was asked who is master, for a lease that is held: whoever
/// took over before that would have been named.
instant asked_at(const lease& right, const settings& rules);

leader_actor::behavior_type
leader(leader_actor::stateful_pointer<leader_state> self, context_ptr ctx,
       leader_peers peers);

} // namespace orderly
