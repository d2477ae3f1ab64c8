// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Job ports in front of the real one, for a single pass: both write down what
// is sent, and the one for dry runs sends nothing. It pretends that jobs which
// only write tags succeed at once and that all others run for ever; questions
// about jobs that are not its own go to the real port.

#pragma once

#include "actors/pass/notebook.hpp"
#include "messages/protocol/ports.hpp"

namespace orderly {

/// Pretended jobs count from here: real queues do not get that far.
inline constexpr job_id dry_job_first = 9'000'000'000'000;

/// True for jobs that change nothing but tags.
bool only_tags(const std::vector<opcode>& ops);

job_port spawn_dry_jobs(caf::actor_system& system, job_port real,
                        notebook_actor into);

/// Sends everything on, and notes what was accepted.
job_port spawn_noted_jobs(caf::actor_system& system, job_port real,
                          notebook_actor into);

} // namespace orderly
