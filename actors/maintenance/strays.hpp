// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Jobs and tags of events that are not known here: another master's, or those
// of a memory that is older than they are. What a repair command does to a node
// is done, whoever sent it. Used by the intake only.

#pragma once

#include "actors/maintenance/standings.hpp"

namespace orderly::intake_parts {

/// A tag, or a job, of an event that our memory does not know: a former
/// master's, or one from after an older journal. Its command may have run.
std::string unknown_work(const intake_state& st, const event_standing& x);

/// Commands of others that the picture shows.
void note_strays(self_ptr self);

/// Nobody judges the jobs of others any more, once we are master.
void call_back_strays(self_ptr self);

/// What the picture does not show any more: has the queue been searched, since
/// we may act, for commands of others that have ended? It is, once an event
/// wants a command. Ganeti archives after six hours; nothing older is sought.
bool search_commands(self_ptr self);

/// A person says that the command of a stranger counts for nothing.
void drop_stray(intake_state& st, const node_name& node);

/// No command on that node up to this job is a stranger's any more.
void note_own(intake_state& st, const node_name& node, job_id job);

} // namespace orderly::intake_parts
