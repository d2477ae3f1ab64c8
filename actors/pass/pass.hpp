// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Watches a tree make one pass over the cluster, and tells when it is done:
//
//   reading --> every instance settled, --> after one more  --> report
//      |        offline nodes' power read,    reading still so
//      |        expired suspensions gone
//      '--> no cluster, no right to act, time over --> report with an error
//
// Used by `orderly harep` and by the conformance runner. The tree has rules
// made by `pass_settings` and ports made by `spawn_pass_world`.

#pragma once

#include "actors/tree/tree.hpp"

namespace orderly {

struct run_pass {
  millis limit{}; ///< the pass is given up after that
};

struct pass_report {
  bool complete = false;
  std::string error; ///< a sentence; empty if it is complete
  status_row status;
  std::vector<instance_row> instances;  ///< sorted by name
  std::vector<journal_entry> decisions; ///< oldest first
};

/// Takes one `run_pass` in its life.
using pass_actor
  = caf::typed_actor<caf::replies_to<run_pass>::with<pass_report>,
                     caf::reacts_to<tick>>;

pass_actor spawn_pass(caf::actor_system& system, context_ptr ctx,
                      root_actor tree);

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::run_pass)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::pass_report)
