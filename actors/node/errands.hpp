// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a node actor does beside deciding: runs errands for its machine and
// tells the others how it stands. Private to its sources.

#pragma once

#include "actors/node/node.hpp"

#include <functional>

namespace orderly::node_parts {

using self_ptr = node_actor::stateful_pointer<node_state>;

/// Asks the machine, writes its answer down, and only then does as it says.
void feed(self_ptr self, const host_ha::event& e);

/// Runs the eligibility rule over the facts.
void judge(self_ptr self);

/// The helper programs in force for the node, first one first; empty: no
/// power control.
std::vector<std::string> programs_of(const node_state& st);

power_order order_of(self_ptr self, power_verb verb);

/// What the journal keeps of the node.
fields to_fields(const node_state& st);

/// A journal row about the node.
journal_entry entry_of(self_ptr self, entry_kind kind, std::string code,
                       std::string why);

/// Tells the others how this node stands, if that changed.
void publish(self_ptr self);

/// Tells the scheduler at once: trouble counts before it is on disk, or a
/// slow journal would hide a storm.
void warn(self_ptr self);

/// A proof is told again after so long, before it is too old.
millis proof_renewal(const node_state& st);

/// Is it time to tell a proof of this age again? Then it counts as told.
bool tell_again(node_state& st, instant at);

/// A row of its own for a proof that the node is off, and then `then`. One that
/// is only renewed is no news: a note.
void write_proof(self_ptr self, const std::string& text,
                 std::function<void()> then,
                 entry_kind kind = entry_kind::outcome);

/// Reads the power status; a proof, or an event for the machine.
void read_power(self_ptr self);

/// Asks the node's daemons once, now: no health check, but the last word on
/// whether anything lives there. `then` gets the answer in any case.
void look(self_ptr self, std::function<void(const sighting&)> then,
          bool sworn = false);

/// The power switch is about to send what the machine ordered: does it stand?
caf::result<power_last_word> bear_witness(self_ptr self,
                                          const power_last_look& question);

/// Proofs by status that could not be renewed for too long are void. A person
/// hears, once, who waits for one.
void expire_proofs(self_ptr self);

/// Marks a fenced node offline in the record, so that its instances may
/// leave. Again and again, until the record says so.
void mark_offline(self_ptr self);

/// One errand that the machine asked for; its decision is in the journal.
/// `decided`: when. What destroys is not carried out when its commit took too
/// long.
void run_errand(self_ptr self, const host_ha::action& what, instant decided);

} // namespace orderly::node_parts
