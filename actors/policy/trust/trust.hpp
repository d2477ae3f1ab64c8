// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is believed of a node's power and of its life: what its controller
// says, what its daemons say, and what persons say. They may contradict each
// other, and each of them may be old. Fed by the node's shell, and asked by it
// (belief.hpp) for what host_ha.hpp is to be told, what others see of the node,
// and which questions are due. It destroys nothing and asks for no permit.
//
// Could the node be fenced? Found out while it is well, by rehearsals: in the
// middle of an incident a dead controller is a reason to go on asking, not to
// give up.
//
//   unrehearsed --reading that makes sense--> proven
//        |                                      |  ^
//        | two in a row that do not             |  | one that does
//        '----------------> unproven <----------'--'
//
// Is an "off" of its controller believed?
//
//   believed --off, and the daemons answer--> doubted --that helper says on-->
//   believed; meanwhile another one's off counts if that has said on since
//
// Is a node that a person marked offline proved off?
//
//             off            silent           on disk
//   unproved ----> asked ------------> kept ------------> proved
//      ^             |   answers, on,                       |
//      '-------------'   or ordered on                      |
//      '--- not read for proof_max_age, answers, on, -------'
//           ordered on, in service again

#pragma once

#include "actors/policy/base/decision.hpp"
#include "actors/policy/host_ha/host_ha.hpp"
#include "actors/policy/trust/events.hpp"
#include "messages/clock.hpp"
#include "messages/ids.hpp"
#include "messages/journal_entry.hpp"
#include "messages/power.hpp"
#include "messages/sighting.hpp"
#include "messages/standing.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace orderly::trust {

/// The settings that concern one node.
struct rules {
  millis check_interval{};      ///< between two health checks
  millis check_timeout{};       ///< of one
  millis rehearsal_interval{};  ///< zero: controllers are not rehearsed
  millis proof_max_age{};       ///< of one by a status that was read
  millis word_max_age{};        ///< of one by a person's word
  bool offline_vouches = false; ///< see `is_vouched`

  /// From the begin of a check to that of the next, if nothing answers.
  [[nodiscard]] millis a_check() const {
    return check_interval + check_timeout;
  }

  /// So long is what its daemons said about what is so now. Never less: with a
  /// slow node nothing newer can be had.
  [[nodiscard]] millis recent() const { return 2 * a_check(); }
};

/// Why the proof of a fenced node was not renewed.
enum class lapse {
  uncontrolled, ///< nobody reads its power any more
  busy,         ///< our own power switch could not ask
  unread,       ///< its controller does not answer
  unwitnessed,  ///< no look can tell whether it is silent for itself
  unlooked,     ///< it reads off, and we did not come to look
  slow,         ///< it reads off, but not in time
};

/// What a look found at a node that should be off.
enum class last_look {
  silent,  ///< nothing of it answers
  alive,   ///< something does
  nothing, ///< nobody answers who could show that the look meant anything
  none,    ///< we did not come to look, for our own trouble
};

struct state {
  // its controller
  rehearsal check;           ///< the last word on it; in the journal too
  std::uint32_t misses = 0;  ///< rehearsals in a row that made no sense
  std::uint32_t differs = 0; ///< and that the record disagreed with
  /// Where off is recorded it was found on, and a person heard of it: that it
  /// goes off is news then. Journalled.
  bool ran_unrecorded = false;
  instant rehearse_at; ///< not before; `never`: it has no turn yet
  /// Helpers, by path, of which no off is believed: they said so while the
  /// daemons answered, and never said on since. An empty path: an older journal
  /// does not say which one. Journalled.
  std::set<std::string> doubted;
  /// Those that have said on since the last of them was caught: they know the
  /// node, and their off is believed beside the doubt of others. Journalled.
  std::set<std::string> cleared;
  // its power
  power_state power = power_state::unknown; ///< as read last
  instant power_since;                      ///< when it was first read so
  std::string power_text;                   ///< by that reading
  instant read_at;                          ///< when it was asked for last
  bool asked_in_vain = false; ///< by that, nobody could be asked: our trouble
  /// By the look beside the last reading that said off.
  std::optional<last_look> beside_off;
  /// Read off while a person wanted that, or proved off while one had marked it
  /// offline, and neither answered nor read on since; kept with the next row.
  bool went_off = false;
  instant outdated_at; ///< when the order was given that made a reading old
  bool asked = false;  ///< since it was marked offline, with its daemons
  /// It was marked offline by a person, and is proved off.
  std::optional<proof> seen_off;
  instant proof_told; ///< the newest proof that has a row of its own
  // persons
  power_wish wish; ///< as of the last reading
  /// When the person ordered that who wants it off by the record, which is
  /// known before the next reading; `never`: nobody does.
  instant ordered_off;
  instant ordered_on; ///< what was read before proves nothing
  instant boot_told;  ///< the last switching-on that the machine heard of
  std::uint64_t words_back = 0; ///< counts: words from before are void
  std::uint64_t machines = 0;   ///< counts: a word is about one machine
  // its daemons
  health verdict = health::unknown; ///< of the last health check or look
  instant verdict_at;
  instant verdict_since; ///< it has been the same
  /// It is in service, and nobody has looked since then; `never`: somebody has.
  instant unchecked_since;
  bool answered = false; ///< something answered that, if only to refuse
  instant shown_alive;   ///< when it answered last, or its power read on
  instant lived_at;      ///< likewise, while it should live: `should_live`
  /// One of those that it should live by though it is left alone. Journalled:
  /// the storm guard counts it after a restart.
  instant lived_kept;
  instant heard_at; ///< when anything of it answered last, in this life
  /// Since when nothing of it does, or nobody looks; `never`: it is heard.
  /// Journalled: copies are judged by it.
  instant unheard_since;
  /// Its power was read off within a minute of that, or it was proved off, and
  /// it was neither heard nor read on since. Journalled.
  bool quiet = false;
  /// Since then this silence is watched, after a time in which nobody did;
  /// `never`: from its begin. Journalled.
  instant watched_since;
  /// The end of the silence before, and how long it was; `never`: none is
  /// known. Journalled: a mirror may have been made in it.
  instant heard_again;
  millis silence{};
  instant answers_since; ///< without a break; `never`: it does not
  instant silent_since;  ///< it does not; `never`: that is not so
  // what a person has heard
  bool untreated_told = false; ///< nobody treats it, and it fails
  instant unproved_since;      ///< instances wait for a proof; `never`: none do
  std::optional<lapse> lapse_told; ///< of a proof, and when
  instant lapse_told_at;
  std::optional<last_look> unproved_told; ///< they do: of such a node
  std::optional<last_look> unproved_seen; ///< by the look before telling

  friend bool operator==(const state&, const state&) = default;
};

/// What the shell knows besides, at the moment of an event. The pointers are
/// to its own and live as long as the step.
struct surroundings {
  const host_ha::state* machine = nullptr; ///< never null
  bool proof_kept = false;     ///< the machine's proof is in the journal
  bool shown_troubled = false; ///< others think that it is in trouble
  bool has_program = false;    ///< it has power control
  // its record; nothing else here counts while it is not known
  bool known = false;
  bool offline = false;
  bool recorded_on = true;
  bool is_home = false; ///< something that should run is at home there
  bool leaving = false; ///< an order is under way that will switch it off
  bool rising = false;  ///< one is that will switch it on
  bool is_self = false; ///< the node we run on
  bool is_master = false;
  std::string held; ///< automation leaves it alone, for this; or empty
  /// Who is at home there and may be started elsewhere; null: nobody.
  const std::vector<instance_name>* stranded = nullptr;
  bool given_up = false; ///< a job in the queue takes it for dead
};

// --- actions ---------------------------------------------------------------

/// The others should see how it stands, if that changed.
struct publish {};

/// The eligibility rule should be run.
struct judge {};

/// The machine of host_ha.hpp should be fed this.
struct tell_machine {
  host_ha::event what;
};

/// The machine was told of a reading: `machine_renewed` should follow.
struct look_at_machine {};

/// A proof of it was too old: `proof_dropped` should follow.
struct look_what_is_left {};

/// A row of the journal.
struct row {
  entry_kind kind = entry_kind::note;
  std::string code;
  std::string text;
};

/// These rows, in one commit, the last one with the state. `then_judge`: what
/// they say counts for eligibility once they are on disk.
struct write_rows {
  std::vector<row> rows;
  bool with_state = false;
  bool then_judge = false;
};

/// A row of its own for a proof; `proof_is_kept` follows if `then_keep`.
struct write_proof {
  proof found;
  entry_kind kind = entry_kind::outcome;
  bool then_keep = false;
  std::string program = {}; ///< as of `proof_is_kept`
};

/// Its daemons should be asked once, now; `daemons_said` follows with what is
/// here and their answer.
struct ask_daemons {
  daemons_said question;
};

using action
  = std::variant<publish, judge, tell_machine, look_at_machine,
                 look_what_is_left, write_rows, write_proof, ask_daemons>;

struct answer {
  state next;
  std::vector<action> actions; ///< in this order
};

/// Says what `e` means. Total and deterministic; `now` is the only time. What
/// an action brings about is seen by the events that follow it.
answer step(const node_name& name, const state& s, const event& e,
            const surroundings& around, const rules& r, instant now);

// --- questions ---------------------------------------------------------------

/// A machine that answers lives: one without power does not even refuse.
inline bool answers(const sighting& seen) {
  return seen.verdict == health::healthy || seen.lives;
}

/// Somebody looked, and nothing lives there that could be seen from here.
inline bool is_silent(const sighting& seen) {
  return seen.verdict == health::unhealthy && !seen.lives;
}

inline last_look found_by(const sighting& seen) {
  if (answers(seen))
    return last_look::alive;
  if (is_silent(seen))
    return last_look::silent;
  return seen.alone ? last_look::nothing : last_look::none;
}

/// All that is known of power and daemons goes: another machine has got the
/// name.
void forget(state& s);

/// What the journal keeps.
void put(fields& f, const state& s);
void recall(state& s, const fields& f);

/// A silence that was just recalled began before now; nobody knows for how long
/// before if it is `aged` (as in `recalled`).
void date(state& s, bool aged, instant now);

} // namespace orderly::trust
