// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The group actor: looks after the tags of one node group, or of the cluster
// as a whole. Suspensions of auto-repair that are over are removed, by one job
// at a time and only on a fresh reading of the tags.

#pragma once

#include "actors/shell/dice.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/cluster.hpp"
#include "messages/protocol/group.hpp"
#include "messages/protocol/job_submitter.hpp"

namespace orderly {

/// Whom a group's actor works with.
struct group_peers {
  job_desk jobs;
  picture_source cluster;
  group_listener told;
};

struct group_state {
  static inline const char* name = "group";

  context_ptr ctx;
  group_peers peers;
  group_name group;
  group_facts facts;
  intent_id intent; ///< of the removal under way; empty: none is
  std::uint32_t failures = 0;
  instant not_before; ///< of the next one
  dice rolls{0};
};

/// What the journal and the members' supervisor call it.
object_id object_of_group(const group_name& name);

/// Those of `all` that the actor removes at `at` by the rules: suspensions that
/// are over, and not only since the calendar was set ahead, if auto-repair
/// acts; empty: none.
std::vector<std::string> due_removals(const std::vector<std::string>& all,
                                      const context& ctx, instant at);

/// `name` empty: the cluster as a whole.
group_actor::behavior_type
group(group_actor::stateful_pointer<group_state> self, context_ptr ctx,
      group_peers peers, group_name name);

} // namespace orderly
