// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The pieces that the intake is made of; used by its own files only.

#pragma once

#include "actors/maintenance/intake.hpp"

namespace orderly::intake_parts {

using self_ptr = intake_actor::stateful_pointer<intake_state>;

/// How all events stand that are known by now.
std::vector<event_standing> standings_of(const intake_state& st);

/// Some events were started, and have not said yet what they are about.
bool any_unknown(const intake_state& st);

/// Starts the actor of an event that the journal knows.
void start(self_ptr self, const std::string& uuid);

/// Every event hears what it decides from; so do those who leave nodes alone.
void spread(self_ptr self);

// --- polls.cpp
/// Asks all nodes; the next sweep follows in its time.
void poll(self_ptr self);

/// The same as soon as a quarter of an interval has passed since the last:
/// whatever a node says, nobody is asked more often for it.
void poll_soon(self_ptr self);

/// What nodes said last makes new events of what none knows yet.
void find_events(self_ptr self);

// --- guards.cpp
/// Judges whether so many ask that none is to begin, and tells of it.
void weigh(self_ptr self);

/// Why an event must not begin; empty: it may.
std::string held(const intake_state& st, const event_standing& x,
                 const settings& rules, instant at);

/// Keeps slots for those that are to begin now, up to the limits.
void give_slots(intake_state& st, const settings& rules, instant at);

/// When a repair command of another event of its node, or of another master's,
/// was on its way last; `never`: none was.
instant worked_at(const intake_state& st, const event_standing& x, instant at);

/// The last reading of marks of its node that a person took away since, under
/// another event; `never`: there are none.
instant given_up_at(const intake_state& st, const event_standing& x);

// --- strays.cpp
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

// --- keys.cpp
/// By which keys the agent of that node is known.
std::vector<std::string> keys_for(const intake_state& st,
                                  const node_record& node);

/// From the journal.
void recall_keys(intake_state& st, const recalled& before);

/// The first agent of a node that was believed is the only one from now on.
void meet(self_ptr self, const diagnosis& x);

/// Those of nodes that are gone.
void forget_keys(self_ptr self);

// --- past.cpp
/// How many begin is counted over so long, as the settings say it.
inline constexpr millis counted_within = hours{1};

/// What the journal calls what is kept of events that are forgotten.
inline constexpr const char* past_key = "past-events";

/// An event is forgotten.
void note_past(self_ptr self, const event_standing& x);

/// Writes down what is kept, with a note about `object`.
void keep_past(self_ptr self, const object_id& object, std::string why);

/// From the journal.
void recall_past(intake_state& st, const recalled& before, instant at);

// --- plans.cpp
/// One question for all who want to know.
void plan(self_ptr self);

} // namespace orderly::intake_parts
