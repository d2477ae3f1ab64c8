// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the instance actor translates between its neighbours and its policy, and
// asks them before it goes on; used by its own files only.

#pragma once

#include "actors/instance/instance.hpp"

#include <caf/result.hpp>

#include <functional>
#include <string>
#include <vector>

namespace orderly::instance_parts {

using self_ptr = instance_actor::stateful_pointer<instance_state>;

/// Has the machine judge what is known now.
void look(self_ptr self, bool called = false);

/// Asks how the jobs of a repair that was taken over ended; again with every
/// picture, as long as they have not.
void ask_earlier(self_ptr self);

/// Asks which nodes have room for the instance, if the machine wants to know
/// and the last answer is too old.
void ask_room(self_ptr self);

/// The machine is about to become `next`: keeps the intent whose token was just
/// removed. When luxid reads its job nobody needs to call it back.
void note_voided(instance_state& st, const autorepair::state& next);

autorepair::rules rules_of(const settings& s);

/// The facts in the words of the policy.
autorepair::facts seen(const instance_state& st, instant at);

/// By the new facts it was marked down, and its home does not answer: there
/// nothing can have stopped it.
bool is_shut_unheard(const instance_facts& was, const instance_facts& is);

/// Since when nothing of the mirror's node is heard, while its home may write;
/// `never`: that is not so.
instant apart_since(const instance_facts& is);

/// The row of a decision, and behind it what it tells: in one commit, for the
/// state, which the caller adds to the first, knows that it was told.
std::vector<journal_entry> rows_of(self_ptr self, std::string why,
                                   const std::vector<autorepair::action>& all);

/// What is known of the copy on its mirror's node.
copy_answer copy_of(self_ptr self);

/// Under which keys the journal has something of this instance.
std::vector<std::string> keys_of(const instance_state& st);

/// Adds to such rows what is kept of the instance from now on.
void keep(self_ptr self, std::vector<journal_entry>& rows);

/// Begins with what was kept of this instance, whatever it was called then.
/// What is of another one, which bore its name, is dropped.
void take_kept(self_ptr self, const recalled& before);

/// Why the job of that intent shall not leave after all, by what is known now;
/// empty: it may.
std::string doubts(const instance_state& st, const intent_id& intent,
                   instant at);

/// Reads the power of the nodes whose copies these opcodes would destroy, if a
/// reading proved them off: minutes later a person may have switched one on.
/// Tells what speaks against it; empty: they are off.
void read_copies(self_ptr self, const std::vector<opcode>& ops,
                 std::function<void(const std::string&)> then);

/// A job that Ganeti carries out without a look at the copies.
bool moves_what_is_down(const instance_facts& facts,
                        const std::vector<opcode>& ops);

/// How is its mirror right now? What is marked down may run all the same, and
/// write. `then` hears what speaks against a move there, or an empty text.
void ask_mirror(self_ptr self, std::function<void(const std::string&)> then);

/// Asks the daemons of the nodes that these opcodes rely upon being dead. Tells
/// what speaks against it; empty: none of them answered.
void ask_homes(self_ptr self, const std::vector<opcode>& ops,
               std::function<void(const std::string&)> then);

/// Right before the job of that intent leaves.
caf::result<consent> bear_witness(self_ptr self, const intent_id& intent);

/// Somebody asks for one repair: its pending tag is written.
caf::result<repair_answer> ask_repair(self_ptr self,
                                      const repair_request& what);

/// News of the job that writes such a tag.
void hear_of_asked(self_ptr self, const job_event& e);

/// May it still be set?
consent say_of_asked(const instance_state& st, const intent_id& intent);

/// When something ends by itself: a wait of the machine, a suspension, the time
/// that a mirror's node may be silent. `never`: nothing does.
instant next_look(const instance_state& st, instant at);

/// The jobs of a repair taken over of which it is not known how they ended.
job_lookup open_question(const instance_state& st);

/// The cluster's allocator picks where this one goes.
bool leaves_choice(const opcode& op);

/// Tells the job's opcodes with the place that was found for the instance, if
/// they leave it open and the permit could be widened; else as they are, and
/// the cluster's allocator picks.
void find_place(self_ptr self, const intent_id& intent, std::vector<opcode> ops,
                std::function<void(std::vector<opcode>)> then);

/// May the step that the permit is for still run? Then its places are its own,
/// whatever the guards say by now.
bool needs_places(const autorepair::state& s);

/// Asks for such places once more, long before they would be taken back: how
/// long luxid takes to say what became of a step nobody knows.
void keep_places(self_ptr self);

/// The places of a job that goes on after a restart, which it alone names.
void reserve_again(self_ptr self, const std::vector<node_name>& joins);

} // namespace orderly::instance_parts
