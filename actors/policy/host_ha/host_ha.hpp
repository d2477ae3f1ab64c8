// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A node's life from the watcher's side: the table of spec host-ha A.5.
//
//             passes                         window full, failed, permit
//   available <------- suspect --- due ---> checking ------> recovering
//      |  failed ------^  ^ |  <-- more ---- |   |            |  reset ok
//      |                  | |                |   | active     v
//      |                  | | power off      |   v          recovered
//      |     period over  | | observed,      | degraded      |  wait over
//      |     .------------' | permit         |   |            v
//      |     '-- degraded <-|----------------'   '-> ...   available/suspect
//      v                    v
//   ineligible           fencing -- status read off --> fenced -- operator
//
// A person who marks the node offline makes it ineligible, between two tries of
// its fence too, and at once while it is watched.
// A person's word that the node is off leads to fenced from everywhere but
// disabled, except while a reset is out. A reset or fence that a person's wish
// forbids leads to suspect: what is wrong now is a trouble of its own. So does
// one that is held back because the node answers, one whose node answers while
// no command is out, and one that a restart finds once nobody has seen the
// trouble for `absence`, or while a reset is out for `evidence_max_age`: the
// incident begins anew. Who is not eligible begins nothing, and goes to
// ineligible instead.
// A fenced node that a person puts online while it fails its health checks is
// suspect as well, and a restart after such an absence ends a person's word.
// A fence whose ground is a power that read off begins anew with each restart,
// and when it reads on. Whatever somebody has switched on a moment ago, by an
// order or by its own button, is recovered, not suspect: it gets the time that
// a boot may take.
//
// Everything that destroys is asked for first: the machine stays where it is
// with `wants` set, and moves on only when the permit is granted.

#pragma once

#include "actors/policy/base/decision.hpp"
#include "messages/fields.hpp"
#include "messages/permit.hpp"
#include "messages/power.hpp"
#include "messages/sighting.hpp"
#include "messages/standing.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace orderly::host_ha {

/// The settings that concern one node.
struct rules {
  millis activity_interval_base{};
  millis activity_interval_max{};
  std::uint32_t activity_checks = 10;
  double activity_failure_ratio = 0.7;
  millis degraded_period{};
  millis recovery_wait{};
  std::uint32_t recovery_attempts_max = 1;
  millis retry_base{};
  millis retry_max{};
  /// An operation without an answer for so long is given up for lost; longer
  /// than every time limit of the operations themselves.
  millis answer_wait = minutes{5};
  /// Trouble that nobody has seen for so long is another story: whatever was
  /// begun for it begins anew.
  millis evidence_max_age = minutes{10};
  /// Unseen for so long before a restart, it is another trouble already: what
  /// is on disk of it is older by its grain, and by a check.
  millis absence = minutes{2};
};

struct state {
  ha_phase phase = ha_phase::available;
  instant since;         ///< when `phase` was entered
  std::string reason;    ///< why
  incident_id incident;  ///< open from Suspect until Available again
  instant suspect_since; ///< set once on Available -> Suspect, immutable
  /// When the node was last seen to fail a health check or a look. Coarse: it
  /// may be `trouble_grain` older than that, so that not each check is a row.
  instant trouble_seen;
  // the window of activity checks
  std::uint32_t checks = 0;   ///< samples answered, unknown ones included
  std::uint32_t failures = 0; ///< of them: inactive
  std::uint32_t unknowns = 0; ///< of them: unknown
  instant sampled;            ///< when the last of them was answered
  /// Restarted since the last reset: what became of it nobody knows, so that a
  /// full window decides and no single check.
  bool window_first = false;
  bool came_back = false; ///< in Recovered: it has passed a check since
  // what is waited for
  instant due;                   ///< `never`: no deadline runs
  std::optional<act_kind> wants; ///< a permit asked for: fence or reset
  std::string held;              ///< why the permit is not granted
  /// Since when no try of the act has left as nobody could see whether the node
  /// is at work; `never`: it was another reason, or the last one did.
  instant unseen_since;
  /// How many fences for a lost power were held as its power was not read any
  /// more.
  std::uint32_t unread_fences = 0;
  bool reread = false; ///< its power is read before it is asked for
  // attempts
  std::uint32_t recoveries = 0;     ///< resets dispatched, this incident
  bool recovery_dispatched = false; ///< in Recovering: the order is out
  std::uint32_t fence_tries = 0;
  bool fence_dispatched = false; ///< in Fencing: the order is out
  bool fence_sent = false;       ///< a command of this fence may have left us
  bool stuck_alerted = false;
  bool healthy_again_told = false; ///< Fenced and healthy: said once
  /// Fenced: when it was first seen to be on since. What a person switches off
  /// after that is no loss.
  instant lived;
  /// Fenced: when a person said last, by name, that it is off. What anybody had
  /// switched off before is lost with it.
  instant given_up;
  instant raised;    ///< when it was switched on, or reset, last
  instant boot_read; ///< when its power was asked for in its boot last
  /// How often it was seen to come on, each soon after the one before.
  std::uint32_t boots = 0;
  /// ... by a reset that may not have left.
  bool raise_unsure = false;
  /// ... or so it may be: it was silent when it was to be treated again.
  bool raise_guessed = false;
  instant booted;   ///< that of the last boot that is over
  instant returned; ///< Fenced: when a person put it online; `never`: not yet
  bool maintenance = false;                 ///< HA's own maintenance mark
  power_state power = power_state::unknown; ///< last read
  /// Read off since its trouble began, and not on since: it boots when it is.
  bool went_off = false;
  std::string fence_reason; ///< alert code due when the fence is confirmed
  std::optional<proof> proved_down;
  /// A person's word, kept behind a proof by status: it takes over when that
  /// can no longer be renewed. Void with any sign of life.
  std::optional<proof> word;
  // what was seen while it did not count yet
  health last_health = health::unknown; ///< since the last reset, if any
  bool eligible = true;                 ///< last word of the eligibility rule
  std::string ineligible_why;
  bool taken = false;           ///< Fencing: out of service meanwhile
  bool guard_told = false;      ///< X.GUARD_HELD said, once an incident
  bool outcome_unknown = false; ///< in Recovering, restarted: power decides

  friend bool operator==(const state&, const state&) = default;
};

// --- events ----------------------------------------------------------------

/// `state::trouble_seen` is renewed when it is older than this.
inline constexpr millis trouble_grain = minutes{1};

/// Likewise while a person's word counts: a restart after a longer time without
/// anybody looking ends it.
inline constexpr millis word_grain = minutes{5};

/// A health check ended. Only healthy and unhealthy change anything. `lives`:
/// something answered, if only to refuse; that voids a proof.
struct health_seen {
  health verdict = health::unknown;
  std::string evidence;
  bool lives = false;
  instant asked = never; ///< when the check began; `never`: just now
};

/// The daemons were asked right before an act was to leave. That is no health
/// check: it only says how old the evidence is.
struct looked {
  health verdict = health::unknown;
};

/// The proof by status could not be renewed for too long, or it is too long ago
/// that a person vouched for it.
struct proof_expired {
  std::string text;  ///< "read 312 s ago, and not since"
  bool word = false; ///< a person's word, if there is one, is too old as well
};

/// An activity check ended.
struct activity_seen {
  activity verdict = activity::unknown;
  std::string evidence;
  bool late = false; ///< of an earlier check, while a newer one is out
};

/// An activity check was not admitted: nothing is counted.
struct activity_refused {};

/// A power status was read. `commanded`: somebody else's command explains an
/// "off" (a person's, through the system).
struct power_seen {
  power_state power = power_state::unknown;
  bool commanded = false;
  std::string evidence;
  instant at;
};

/// A person ordered it on then: a proof from before is void, whatever is read.
struct ordered_on {
  instant at;
  std::string text;  ///< "root ordered it on"
  bool boots = true; ///< false: no command was given
  bool read = false; ///< by nobody that is known: it was read off, and is on
};

/// The scheduler's word on `wants`.
struct permit_answered {
  act_kind act = act_kind::fence;
  bool granted = false;
  std::string why;
  instant retry_at;
  bool storm = false; ///< held because of a storm (not budget, pause, settle)
};

/// What was refused could be permitted now.
struct permit_called {};

/// The reset came to an end. `ok`: the command worked.
struct recovery_ended {
  bool ok = false;
  std::string evidence;
  bool by_wish = false; ///< refused: a person wants otherwise
  bool held = false;    ///< nothing was sent: it was held back at the last look
  bool answers = false; ///< ... because its daemons answer
  /// What was read of its power in the end, or before it was held back.
  power_state read = power_state::unknown;
  bool unseen = false; ///< held back: nobody could see whether it is at work
};

/// The fence came to an end. `confirmed`: a status read said off, and the
/// node's daemons are silent.
struct fence_ended {
  bool confirmed = false;
  std::string evidence;
  instant at;
  bool by_wish = false; ///< refused: a person wants otherwise
  bool held = false;    ///< nothing was sent: it was held back at the last look
  bool answers = false; ///< its daemons answer, whatever its controller says
  bool sent = false;    ///< a command left us
  /// Nothing was sent: its power, all that speaks for the fence, was not read.
  bool unread = false;
  /// What was read of it in the end, or before it was held back.
  power_state read = power_state::unknown;
  bool unseen = false;  ///< held back: nobody could see whether it is at work
  bool came_on = false; ///< it read off before that
};

/// The eligibility rule was run.
struct eligibility {
  bool eligible = true;
  std::string reason;
  bool offline = false; ///< a person has taken it out of service
  /// What kept it from being treated has ended, people may have worked on it
  /// meanwhile, and it does not answer, or was not looked at yet.
  bool silent = false;
  bool read = false; ///< its power was, each minute meanwhile
};

struct enabled {
  bool silent = false; ///< likewise
};

struct disabled {
  std::string why = {}; ///< a clause: "disabled for group rack7 by root"
};

/// `state::due` has passed.
struct deadline {};

/// The daemon starts with a state from the journal (table B.6).
struct restarted {
  /// The reset or fence that was ordered last has no intent on disk: no
  /// command of it left.
  bool unsent = false;
  /// Nobody was at work for longer than `absence` before: whoever is silent may
  /// have been switched on just now.
  bool away = false;
};

/// An operator returned the node to service: the record says online (again).
struct returned {};

/// A person said, by name, that the node is off. Whoever passes it on made
/// sure that nothing seen just now says otherwise.
struct vouched {
  std::string text; ///< "off by the word of root: pulled both cords"
  instant outdates; ///< a proof from before this is worth less than the word
};

using event
  = std::variant<health_seen, activity_seen, activity_refused, power_seen,
                 permit_answered, permit_called, recovery_ended, fence_ended,
                 eligibility, enabled, disabled, deadline, restarted, returned,
                 vouched, ordered_on, looked, proof_expired>;

// --- actions ---------------------------------------------------------------

struct check_activity {
  instant since;
};

struct read_power {};

struct ask_permit {
  act_kind act = act_kind::fence;
};

/// Whether anything was commanded under it whoever commands knows.
struct give_back_permit {};

struct reset_power {};

struct fence_power {};

/// Record that the node is under HA's maintenance, before the power-off.
struct enter_maintenance {};

/// Confirmed: mark the node offline, let its instances go elsewhere.
struct release_instances {};

/// Somebody should know. Codes as in the spec: A.RECOVERING, E.DEGRADED,
/// X.FENCE_STUCK, ...; `is_alert` says which of them a person must see.
struct tell {
  std::string code;
  std::string text;
};

using action = std::variant<check_activity, read_power, ask_permit,
                            give_back_permit, reset_power, fence_power,
                            enter_maintenance, release_instances, tell>;

using verdict = decision<state, action>;

/// Says what `e` means for node `name` in `s`. Total: every event is legal in
/// every state, the ones that mean nothing leave it unchanged with an empty
/// `why`. Deterministic; `now` is the only time.
verdict step(const node_name& name, const state& s, const event& e,
             const rules& r, instant now);

/// What led from one phase to another, by the names of spec host-ha A.2:
/// "HealthCheckFailed". Of ours are "PersonWish", "OperatorWord", "OrderedOn".
const char* name_of_transition(const state& from, const event& e,
                               const state& to);

/// What the fence that is wanted, or under way, rests on.
enum class fence_ground {
  none,         ///< none is known
  max_attempts, ///< all resets are used up, or it stayed silent after one
  failed_reset,
  power_off, ///< its power read off
};

/// The one place that reads the code in `fence_reason`.
fence_ground ground_of(const state& s);

/// Is the fence that it is in for a power that read off, and for nothing else?
bool is_for_lost_power(const state& s);

/// Does what the activity checks found speak for the reset or fence that it is
/// in, and is it too old for that? Then its activity is looked at once more
/// before a command leaves.
bool is_ground_old(const state& s, const rules& r, instant now);

/// Its power was read off since its trouble began: if it reads on, somebody has
/// switched it on, and it gets the time of a boot.
bool would_boot(const state& s, const rules& r, instant now);

/// True if the node counts for the storm guard.
bool is_troubled(const state& s);

/// What would have to happen next, for `explain`.
std::string waits_for(const state& s);

fields to_fields(const state& s);
state from_fields(const fields& f);

/// What was seen before a person put an older journal in place (`adopted`), at
/// a time that is not yet because the calendar was set back, or nobody knows
/// when (`aged`, as in `recalled`) is old: nobody knows what came after it.
/// Deadlines keep their length.
void date(state& s, bool aged, instant adopted, instant now);

} // namespace orderly::host_ha
