// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The jobs of one pass, in the order in which they were sent, or would have
// been in a dry run: for the report and for what a dry run pretends.

#pragma once

#include "messages/job.hpp"

#include <caf/actor_system.hpp>
#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <vector>

namespace orderly {

struct noted_job {
  job_id id = 0;
  job_spec spec;
};

/// Asks for all of them.
struct read_notes {};

struct notes {
  std::vector<noted_job> jobs; ///< oldest first
};

using notebook_actor
  = caf::typed_actor<
    /// Kept in the order of arrival, and never forgotten: a pass is short.
    caf::reacts_to<noted_job>,
    /// Answered at once, also while the pass still runs.
    caf::replies_to<read_notes>::with<notes>>;

notebook_actor spawn_notebook(caf::actor_system& system);

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::noted_job)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::read_notes)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::notes)
