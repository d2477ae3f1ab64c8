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

/// Sends jobs, watches them, tells their owners. Idempotent by intent: a
/// known intent is not sent again, its owner is told how it stands.
using job_submitter_actor
  = caf::typed_actor<caf::reacts_to<job_order, job_client>,
                     caf::replies_to<job_lookup>::with<job_lookup_answer>,
                     caf::reacts_to<job_withdraw>, caf::reacts_to<lease>,
                     caf::reacts_to<tick>>;

} // namespace orderly
