// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the laws say about jobs in common words. Used by the laws alone.

#pragma once

#include "sim/ganeti/sim_job.hpp"

#include <string>

namespace orderly::sim {

/// What permission an opcode needs; -1: none.
int needed_risk(op_kind x);

bool has_op(const sim_job& job, op_kind kind);

/// A failover or a reinstallation: what runs or is written elsewhere stays
/// there.
bool destroys(const sim_job& job);

/// It gives up one copy for a new one, made from what the home has.
bool gives_up_mirror(const sim_job& job);

/// Is it a step of a repair? Moves of a balancing round, and jobs of repair
/// events, have one word for an intent.
bool is_step(const sim_job& job);

/// It only removes tokens, and marks that: a step without one cannot begin.
bool only_forbids(const sim_job& job);

/// It moves what is well, to balance.
bool balances(const sim_job& job);

/// It is about a repair event: what a node reported of itself.
bool of_event(const sim_job& job);

/// Ganeti refused it for want of room, which is no more than its sender could
/// do about it: room may come back.
bool for_want_of_room(const sim_job& job);

/// The repair it belongs to, out of its reason trail.
incident_id incident_of(const sim_job& job);

/// "job 12 (failover of web1)"
std::string named(const sim_job& job);

} // namespace orderly::sim
