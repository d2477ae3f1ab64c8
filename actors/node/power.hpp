// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The node actor and its power control while nothing is wrong: rehearsals,
// which find out whether the node could be fenced, and the word of a person
// that it is off. Private to the sources of the node actor.
//
//   unrehearsed --reading that makes sense--> protected
//        |                                      |  ^
//        | two in a row that do not             |  | one that does
//        '--------------> unprotected <---------'--'
//
// A protection is judged only while the node is well: in the middle of an
// incident a dead controller is a reason to go on asking, not to give up.

#pragma once

#include "actors/node/errands.hpp"

#include <functional>

namespace orderly::node_parts {

/// Reads the power status if a rehearsal is due.
void rehearse(self_ptr self);

/// A person marked the node offline, and this was read of its power: its
/// instances may go if it is off, and nothing says that it is not.
void judge_offline(self_ptr self, const power_report& report);

/// Is it in service, by the record? Then its daemons are asked, whatever is
/// wished or held.
bool is_counted(const node_state& st);

/// Should it live? In service, and no person wants it off; or somebody does,
/// but no order for that is under way and it answered since. The storm guard
/// counts such nodes, whether or not they can be treated.
bool should_live(const node_state& st);

/// Since when it answers each check, in service and with no order under way
/// that will switch it off; `never`: it does not, or that is not known.
instant answers_since(const node_state& st);

/// Likewise since when it does not.
instant silent_since(const node_state& st);

/// Such a node that fails its health check and is under no treatment: it could
/// not have one, or its turn comes.
bool fails_untreated(const node_state& st, instant at);

/// Without power control its offline mark alone is to prove that it is off.
bool is_vouched(const node_state& st);

/// Is one that cannot be treated looked at all the same? In service it counts
/// for the storm guard; and instances may wait for the silence of one whose
/// mark vouches for it.
bool is_watched(const node_state& st);

/// True while nobody could fence it: its daemons are asked all the same.
bool is_unprotected(const node_state& st);

/// News of its daemons: a node that cannot be treated counts for the storm
/// guard when it falls silent, and an unprotected one is told of.
void heard(self_ptr self, const sighting& seen);

/// A person hears, once, of a node in service that has been failing its health
/// check for long and that nobody treats.
void warn_untreated(self_ptr self);

/// When the first rehearsal is due: all nodes of a large cluster at once would
/// be more than the switch takes.
instant first_rehearsal(const node_state& st, instant at);

/// What a person wants of its power, as the switch knew it at that reading: a
/// node that is wanted off is left alone.
void take_wish(self_ptr self, const power_report& report);

/// A person ordered it on: no proof from before that is worth anything.
void void_proofs(self_ptr self, instant at, std::string why);

/// A command of a person's may have switched it on: it may boot.
void hear_of_boot(self_ptr self);

/// Is it the helper that said off while the node's daemons answered? Its off is
/// not believed before it has said on itself.
bool is_doubted(const node_state& st, const power_report& report);

/// The same, if the wish is for on.
void heed_wish(self_ptr self, const power_wish& wish);

/// A person ordered it on, or has a cycle under way, so that what was read
/// then says nothing of now.
bool is_raised_since(const node_state& st, instant at);

/// Power control and daemons were asked about a node that is marked offline,
/// and what they said is known or was given up.
void all_asked(self_ptr self);

/// A controller that says on may say off again, and is believed.
void believe_on(self_ptr self, const power_report& report);
void forgive(self_ptr self);

/// Its controller says off while it answers: no off of it is believed until it
/// has said on. Told once, and again if it answers after a silence.
void distrust(self_ptr self, const power_report& report, bool is_news);

/// Somebody looked, and nothing lives there that could be seen from here.
inline bool is_silent(const sighting& seen) {
  return seen.verdict == health::unhealthy && !seen.lives;
}

/// It lives: a machine without power does not even refuse.
inline bool answers(const sighting& seen) {
  return seen.verdict == health::healthy || seen.lives;
}

/// Its controller says off, and its own daemons have the last word on that:
/// `silent` runs if they do not answer and the controller is believed.
void ask_daemons(self_ptr self, const power_report& report,
                 std::function<void()> silent);

/// A person ordered otherwise than it was read: that reading is over, and the
/// next one comes soon.
void outdate_reading(node_state& st, const power_wish& wish, instant at);

/// Why the node is left alone for a person's wish; empty: it is not.
std::string wished_off(const node_state& st);

/// Why the node counts as unprotected just now; empty: it does not.
std::string unprotected(const node_state& st);

/// A person says that the node is off. Taken unless what can be asked now
/// says otherwise: its daemons, and its controller. Until then it can be taken
/// back.
caf::result<off_word_answer> take_word(self_ptr self, const off_word& word);

/// All that is known of its power control and its daemons: another machine has
/// got the name.
void forget_power(node_state& st);

void put_rehearsal(fields& f, const rehearsal& x);
rehearsal rehearsal_from(const fields& f);

} // namespace orderly::node_parts
