// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The shell of policy/trust in a node's actor: it asks controller and daemons,
// and tells the machine of host HA what is believed. Private to the sources of
// the node actor.

#pragma once

#include "actors/node/carry_out.hpp"

#include <functional>

namespace orderly::node_parts {

/// What the machine of trust is to know of the rest at this moment. Points
/// into the state.
trust::surroundings surroundings_of(const node_state& st);

trust::rules trust_rules(const settings& s);

/// Asks what is believed, `question`, as things stand at the moment.
template <class Question>
auto believed(const node_state& st, Question question) {
  auto around = surroundings_of(st);
  auto rules = trust_rules(*rules_for(st));
  return question(trust::belief{st.trust, around, rules});
}

/// Tells the machine of trust, and does as it says.
void learn(self_ptr self, const trust::event& e);

/// Reads the power status; a proof, or an event for the machine of host HA.
void read_power(self_ptr self);

/// Somebody else has heard it, and told us: a sign of life.
void overhear(self_ptr self, const sighting& seen);

/// Reads it if a rehearsal of the controller is due.
void rehearse(self_ptr self);

/// Asks the node's daemons once, now: no health check, but the last word on
/// whether anything lives there. `then` gets the answer in any case.
void look(self_ptr self, std::function<void(const sighting&)> then,
          bool sworn = false);

/// A row of its own for a proof that the node is off, and then `then`. One that
/// is only renewed is no news: a note.
void write_proof(self_ptr self, const std::string& text,
                 std::function<void()> then,
                 entry_kind kind = entry_kind::outcome);

/// A person says that the node is off. Taken unless what can be asked now says
/// otherwise: its daemons, and its controller. Until then it can be taken back.
caf::result<off_word_answer> take_word(self_ptr self, const off_word& word);

/// What a command read of the power; the off of a liar is no reading.
power_state read_by(self_ptr self, const power_report& report);

} // namespace orderly::node_parts
