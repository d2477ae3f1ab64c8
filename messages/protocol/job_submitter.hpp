// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Sends jobs and watches them.

#pragma once

#include "messages/job.hpp"
#include "messages/permit.hpp"
#include "messages/protocol/job_client.hpp"
#include "messages/protocol/tick.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace orderly {

/// What whoever owns jobs asks of who sends them. Idempotent by intent: a
/// known intent is not sent again, its owner is told how it stands.
using job_desk = caf::typed_actor<
  /// Answered by `job_event`s, to the client that asked last. It waits until
  /// the journal was read, and as long as we have no right to act: then even
  /// its deadline waits.
  caf::reacts_to<job_order, job_client>,
  /// Passed on to the queue, whose silence is an error in the asker's own
  /// time; a search for a trail says within a minute that it heard nothing.
  caf::replies_to<job_lookup>::with<job_lookup_answer>,
  /// What has not left ends as refused, what is in the queue is cancelled where
  /// that can be. Nothing is done or told if the intent is not known or has
  /// ended; a stray is taken over, if we have the right to act.
  caf::reacts_to<job_withdraw>>;

/// Sends jobs, watches them, tells their owners.
using job_submitter_actor = job_desk::extend<
  /// What is ready leaves as soon as there is a right to act.
  caf::reacts_to<lease>,
  /// A pause is over: whatever is due by now is tried again.
  caf::reacts_to<tick>>;

} // namespace orderly
