// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a node actor does beside deciding: carries out what its machine wants
// and tells the others how it stands. Private to its sources.

#pragma once

#include "actors/node/node.hpp"

#include <functional>

namespace orderly::node_parts {

using self_ptr = node_actor::stateful_pointer<node_state>;

/// What a node wakes up for.
enum : std::uint32_t { check_tick, deadline_tick, offline_tick };

/// Asks the machine, writes its answer down, and only then does as it says.
void feed(self_ptr self, const host_ha::event& e);

/// Runs the eligibility rule over the facts.
void judge(self_ptr self);

/// The settings that hold for its group.
settings_ptr rules_for(const node_state& st);

/// The helper programs in force for the node, first one first; empty: no
/// power control.
std::vector<std::string> programs_of(const node_state& st);

/// If a reset or fence is among these, the intent that it will have.
void name_order(self_ptr self, const std::vector<host_ha::action>& all);

power_order order_of(self_ptr self, power_verb verb);

/// How the machine is to treat it by these settings.
host_ha::rules rules_of(const settings& s);

/// Has it been active since then? To the collector.
activity_request activity_question(const node_state& st, instant since);

/// The permit for that act, in the incident that it has now.
permit_request permit_for(const node_state& st, act_kind act);

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

/// The power switch is about to send what the machine ordered: does it stand?
caf::result<power_last_word> bear_witness(self_ptr self,
                                          const power_last_look& question);

/// Marks a fenced node offline in the record, so that its instances may
/// leave. Again and again, until the record says so.
void mark_offline(self_ptr self);

/// The row of a decision, and behind it what it tells: in one commit, for the
/// state knows that it was told.
std::vector<journal_entry> rows_of(self_ptr self, journal_entry first,
                                   const std::vector<host_ha::action>& all);

/// One thing that the machine wants; its decision is in the journal.
/// `decided`: when. What destroys is not carried out when its commit took too
/// long.
void carry_out_action(self_ptr self, const host_ha::action& what,
                      instant decided);

} // namespace orderly::node_parts
