// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The leader: the right to act. A lease is held while the cluster itself
// says, in a reading young enough, that this host is its master. No lease, no
// action.

#pragma once

#include "actors/shell.hpp"

namespace orderly {

struct leader_state {
  static inline const char* name = "leader";

  context_ptr ctx;
  journal_actor journal;
  scheduler_actor scheduler;
  oob_actor oob;
  job_submitter_actor jobs;
  lease held;
  std::uint64_t generation = 0;
};

leader_actor::behavior_type
leader(leader_actor::stateful_pointer<leader_state> self, context_ptr ctx,
       journal_actor journal, scheduler_actor scheduler, oob_actor oob,
       job_submitter_actor jobs);

} // namespace orderly
