// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the power desk does beside deciding: keeps its books (desk/books.cpp),
// looks after old holds (desk/holds.cpp), and runs errands' steps
// (desk/errands.cpp). Private to desk*.cpp.

#pragma once

#include "actors/desk/desk.hpp"

#include <functional>

namespace orderly::desk_parts {

using self_ptr = desk_actor::stateful_pointer<desk_state>;

/// Tells an errand what happened, writes down what it makes of it, and only
/// then does as it says; `then` comes after that.
void feed(self_ptr self, std::uint64_t number, const errand::event& e,
          std::function<void()> then = {});

/// What errands are told of the world.
errand::surroundings surroundings_of(self_ptr self);

/// "power-12"
errand_id id_of(std::uint64_t number);

/// 12; 0 if it is no such id.
std::uint64_t number_of(const errand_id& id);

// --- desk/desk.cpp -----------------------------------------------------------

/// All that are kept, without their rows.
errand_list_answer list(const desk_state& st);

// --- desk/books.cpp ---------------------------------------------------------

/// All of it, for the journal.
std::vector<journal_entry> plan_entries(self_ptr self, const errand::state& s);

/// What changed, for the journal: nothing for an errand that only reads,
/// except what is told.
std::vector<journal_entry> step_entries(self_ptr self, const errand::state& s,
                                        const errand::verdict& v);

/// An errand that was written down so late that whoever asked was told that it
/// failed: it leaves the books, and nothing of it is done.
errand::refusal drop(self_ptr self, std::uint64_t number);

/// The oldest that ended make room; what the journal then forgets.
std::vector<journal_entry> forget_old(self_ptr self);

/// What agrees again with the record is an alert the next time it does not.
void note_agreed(self_ptr self, const errand::state& s);

/// A block of its rows.
journal_entry keep_block(self_ptr self, const errand::state& s,
                         std::uint32_t block);

/// The row that keeps it.
journal_entry keep_hold(self_ptr self, const node_name& node,
                        const errand::hold& what);

/// The row that forgets it.
journal_entry drop_hold(self_ptr self, const node_name& node);

/// Our own record that the node of that uuid is off.
journal_entry keep_record(self_ptr self, const node_name& node,
                          const std::string& uuid);

journal_entry drop_record(self_ptr self, const node_name& node);

/// Asks the journal for all that is kept
void recall_books(self_ptr self);

/// What persons want of the power, as the switch knows it; told on.
void take_wishes(self_ptr self, power_wishes& all);

/// What is told of the holds, records and wishes in force.
void publish_holds(self_ptr self);
void publish_records(self_ptr self);

/// Likewise of the nodes that errands have yet to switch off, as soon as that
/// changes: before whoever asked for it is answered.
void publish_leaving(self_ptr self);

// --- desk/right.cpp ----------------------------------------------------------

/// Why no errand may act now, for a person to read; empty: it may.
std::string no_right(const desk_state& st, instant at);

/// As the leader tells it. What waits for it goes on at once.
void take_right(self_ptr self, const lease& right);

/// With each reading: what changed of nodes while orders wait was seen.
void note_numbers(self_ptr self);

/// What errands of before make of a time in which this host was not the master,
/// or did not know whether it was, once the cluster was read after it.
void end_absence(self_ptr self);

// --- desk/switches.cpp -------------------------------------------------------

/// What a person wants of host HA's switches: answered when it is on disk.
caf::result<errand_sheet> turn_switches(self_ptr self,
                                        const errand_request& asked);

/// From the journal.
void read_switches(self_ptr self, const recalled& before);

/// As they are told on: what is on disk, and what the settings say.
ha_switches switches_in_force(self_ptr self);

// --- desk/setting_list.cpp ---------------------------------------------------

/// The settings of the cluster: what is in force, and where that is from.
errand_sheet list_settings(self_ptr self, const errand_request& asked);

// --- desk/gone.cpp ----------------------------------------------------------

/// Nodes that were removed from the cluster need no hold and no record, and
/// another machine that gets the name has neither.
void forget_gone(self_ptr self);

/// What else was known of nodes whose names are others' since the reading
/// before.
void forget_replaced(self_ptr self, const cluster_record& before);

// --- desk/holds.cpp ---------------------------------------------------------

/// Tells of holds that may have been forgotten, each thing once.
void judge_holds(self_ptr self);

/// What a node says of itself.
void hear(self_ptr self, const node_standing& x);

/// Of nodes that nobody looks at.
void forget_old_answers(self_ptr self);

// --- desk/errands.cpp -------------------------------------------------------

/// What is known at once, before it is on disk.
void note(self_ptr self, const errand::action& x);

/// What an errand wants done; its decision is in the journal. What it decided
/// long ago does not leave any more.
void carry_out(self_ptr self, std::uint64_t number,
               const std::vector<errand::action>& actions, instant decided);

/// Errands that wait for news of the world look at it.
void wake_waiting(self_ptr self);

/// After an errand that changed something: asks for a reading soon.
void look_again(self_ptr self);

/// Keeps the cluster's watcher from starting what was shut down, or lets it
/// go on.
void tell_watcher(self_ptr self);

/// What was accepted and not done yet, for those who ask about its nodes.
void publish_orders(self_ptr self);

void ask_for_wishes(self_ptr self);

/// The next tick comes when the first thing is due.
void arm(self_ptr self);

/// Errands from before a restart, once there is a picture.
void resume(self_ptr self);

/// Is that the step under way? The journal may have been slow, and the errand
/// has moved on.
bool is_current(self_ptr self, std::uint64_t number, const errand::spot& at);

/// May the job of that intent leave, now that it is written down?
consent last_say(self_ptr self, const intent_id& intent);

/// The same of a power command, which the switch is about to send.
caf::result<power_last_word> bear_witness(self_ptr self,
                                          const intent_id& intent);

} // namespace orderly::desk_parts
