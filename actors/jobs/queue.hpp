// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the job submitter does with the queue: it sends what is ready, searches
// for what may have arrived, and watches what is there.

#pragma once

#include "actors/jobs/submitter.hpp"

namespace orderly::jobs {

using submitter_self
  = job_submitter_actor::stateful_pointer<job_submitter_state>;

/// Tells the owner how the job stands.
void tell(submitter_self self, job_submitter_state::item& x);

/// Nothing more comes of this intent.
void end(submitter_self self, job_submitter_state::item& x, job_phase phase,
         std::string text);

/// Nothing was tried: the queue was not asked, or takes no jobs at all. What it
/// refused for a reason of its own was.
bool is_untried(const job_submitter_state::item& x);

/// It shall not start, if it has not yet. Until that is answered it is said
/// again.
void cancel(submitter_self self, job_id id);

/// ... if it is called back and in the queue still.
void cancel_again(submitter_self self, job_id id);

/// Whether it got into the queue is not known: it is sought. That it is not
/// there means something only after a while.
void seek_first(submitter_self self, job_submitter_state::item& x);

/// What is called back is sought at once.
void seek_soon(submitter_self self, job_submitter_state::item& x);

/// It is not wanted any more and runs: a person hears, once, if it may start an
/// instance beside one that lives.
void warn_unstopped(submitter_self self, job_submitter_state::item& x);

/// Nothing more comes of an intent that was called back: it is in no queue.
void end_called_back(submitter_self self, job_submitter_state::item& x);

/// Sends what is ready and what its owners still want, in one call; one call
/// at a time.
void send_ready(submitter_self self);

/// It is in the queue under `id`.
void queued(submitter_self self, job_submitter_state::item& x, job_id id);

/// Looks at `x` again after a growing pause.
void later(submitter_self self, job_submitter_state::item& x,
           job_submitter_state::stage next, millis least);

/// Is the job of this intent in the queue?
void match(submitter_self self, const intent_id& intent);

/// Waits for news of the job of this intent.
void watch(submitter_self self, const intent_id& intent);

} // namespace orderly::jobs
