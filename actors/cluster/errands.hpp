// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the cluster actor does beside reading the picture: it asks for room
// and mirrors when that is needed, removes suspensions that are over from
// groups and cluster, and writes the pending tag of a repair that somebody
// asks for.

#pragma once

#include "actors/cluster/facts.hpp"

namespace orderly {

inline constexpr std::uint32_t mirror_tick = 1;

/// How much room the spare nodes of an instance have.
caf::result<room_answer> room(cluster_self self, const room_question& what);

/// Asks some mirrors how they are, and looks again later: soon, if one of them
/// is faulty.
void look_at_mirrors(cluster_self self);

/// Expired suspensions of groups and cluster go, one job an object.
void remove_expired(cluster_self self);

/// News of such a job.
void removal_job(cluster_self self, const job_event& e);

/// How many such jobs are under way.
std::uint32_t removals(const cluster_state& st);

/// Somebody asks for one repair.
caf::result<repair_answer> ask_repair(cluster_self self,
                                      const repair_request& what);

/// News of the job that writes its tag.
void repair_job(cluster_self self, const job_event& e);

/// Why nothing is done to the instance: its last repair failed; or empty.
std::string failed_before(const instance_record& x);

/// May the job of that intent leave, now that it is written down?
consent last_say(cluster_self self, const intent_id& intent);

/// Automation keeps out of these nodes and no others; their actors and those
/// of their instances hear it at once.
void take_holds(cluster_self self, const holds& what);

/// A picture came: it shows what came of orders that ended before it was read.
void end_partings(cluster_self self);

/// Power records that the cluster itself cannot keep.
void take_records(cluster_self self, const power_records& what);

/// A person's word goes to the node's actor, which judges it.
caf::result<off_word_answer> pass_on(cluster_self self, off_word what);

} // namespace orderly
