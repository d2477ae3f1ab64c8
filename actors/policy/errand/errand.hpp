// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// An errand: what a person wants of the power, as rows that are worked off
// step by step. The desk actor is its shell; plan() makes the rows or refuses,
// step() says what each event means. Pure.
//
//   waiting -- its turn, and what it needs is met --> running, step by step
//      |                                                |     |
//      | stopped, or what it needs                      |     '--> done
//      | came to nothing                 a step failed  |
//      v                                                v
//   skipped <----- stopped between two steps -------  failed
//
//   power off, epo: nodes    mark offline -> power-off -> record
//   power on                 power-on -> record
//   epo --on: nodes          power-on -> record -> wait -> take back
//   epo: instances           shutdown (start, if elsewhere); --on: start
//   cycle, status, health    the command itself
//   node modify              modify -> record
//   verify                   check of a helper; power-status of a node
//   confirm-off              the word
//   cluster set, unset       tag -> heed
//
// A step that has nothing to do is passed over. In an epo no node is switched
// off before Ganeti's watcher rests, every instance is down and a later reading
// shows no other one there (errand/gate.cpp), and with --on no instance is
// started before its nodes are back. Nothing is done without the right to act,
// nor long after it was asked for.

#pragma once

#include "actors/policy/base/decision.hpp"
#include "actors/policy/errand/limits.hpp"
#include "actors/policy/errand/row.hpp"
#include "actors/policy/errand/surroundings.hpp"
#include "messages/fields.hpp"
#include "messages/job.hpp"
#include "messages/journal_entry.hpp"
#include "messages/permit.hpp"
#include "messages/sighting.hpp"
#include "messages/standing.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace orderly::errand {

struct state {
  errand_id id;
  /// In the names of its jobs: another daemon, or an older journal, may call an
  /// errand of its own the same. Empty: of an earlier version.
  std::string stamp;
  errand_request asked;
  instant began;
  instant ended; ///< `never`: it goes on
  std::string stopped_by;
  /// "interrupted for 20 h, ask again": it is not gone on with; or empty.
  std::string interrupted;
  std::vector<row> rows;
  std::vector<std::string> remarks;
  instant last_start;             ///< of a power-on: the next keeps distance
  std::uint32_t last_started = 0; ///< that row
  instant last_answer;            ///< when its power was told; `never`: not yet
  bool begun = false;   ///< its plan is in the journal; not kept there
  instant barred;       ///< its nodes may not go off since; not kept there
  bool advised = false; ///< the closing advice is among the remarks
  instant resumed;      ///< after a restart; not kept there
  bool undated = false; ///< nobody knows how old it is; not kept there
};

// --- events ----------------------------------------------------------------

/// Which step of which row an answer belongs to.
struct spot {
  std::uint32_t row = 0;
  std::uint32_t step = 0;
  std::uint32_t tries = 0;

  friend bool operator==(const spot&, const spot&) = default;
};

/// The plan is in the journal.
struct begun {};

/// The daemon starts with an errand from the journal, and a picture.
struct resumed {
  instant adopted; ///< of the journal: older errands are not gone on with
  std::map<intent_id, power_report> endings; ///< what the switch told before
  /// Of each node the newest power command that may have left by then.
  std::map<node_name, intent_id> given;
  instant watched; ///< until then somebody watched; from then on perhaps nobody
};

/// The right to act is back, and the cluster was read since.
struct watched_again {
  instant since;       ///< nobody here watched from then on
  bool others = false; ///< another host was the master meanwhile
};

/// It is lost.
struct right_gone {};

/// due_at() has passed.
struct woken {};

struct stopped {
  std::string who;
};

struct job_told {
  spot at;
  bool done = false;
  bool untried = false; ///< not sent, or Ganeti takes no jobs just now
  std::string text;
  bool refused = false;  ///< it never was, and will never be, in the queue
  bool canceled = false; ///< in the queue, before it began
  bool open = false;     ///< overdue: it may end well all the same
};

/// It is in the queue.
struct job_queued {
  spot at;
};

struct power_told {
  spot at;
  power_report report;
};

struct risky_told {
  spot at;
  risky_acts what;
};

struct probe_told {
  spot at;
  health verdict = health::unknown;
};

struct program_told {
  spot at;
  std::string wrong; ///< empty: it may be run
};

struct word_told {
  spot at;
  bool taken = false;
  std::string text;
};

/// Whoever stopped it wanted the word back; `back`: it was not believed.
struct word_taken_back {
  spot at;
  bool back = false;
};

/// Its decision was on disk too late: it did not leave.
struct held_up {
  spot at;
  std::string text;
};

/// A question came to nothing.
struct unanswered {
  spot at;
  std::string text;
};

using event
  = std::variant<begun, resumed, watched_again, right_gone, woken, stopped,
                 job_told, job_queued, power_told, risky_told, probe_told,
                 program_told, word_told, word_taken_back, held_up, unanswered>;

// --- actions ---------------------------------------------------------------

struct send_job {
  spot at;
  job_order order;
};

/// Nobody waits for it any more: what has not begun shall not begin.
struct call_back {
  intent_id intent;
};

/// The switch shall not do it, if its turn has not come.
struct take_power_back {
  power_withdraw what;
};

/// The cluster shall be read soon.
struct look_soon {};

struct give_power {
  spot at;
  power_order order;
};

/// What relies on nodes being off?
struct ask_risky {
  spot at;
};

struct probe {
  spot at;
  probe_request question;
};

struct check_program {
  spot at;
  std::string program;
};

struct give_word {
  spot at;
  off_word word;
};

/// The word shall not be believed, if it is not yet.
struct take_word_back {
  spot at;
  off_word word;
};

/// The cluster's record was changed by us and is newer than the picture.
struct amend {
  node_name node;
  std::optional<bool> offline;
  std::optional<bool> powered;
};

/// Our own power record.
struct keep_powered {
  node_name node;
  bool powered = true;
  std::string uuid; ///< of the node
};

struct take_hold {
  node_name node;
  hold what;
};

struct lift_hold {
  node_name node;
};

/// A line of the journal.
/// A power that is not what the record says of it.
struct power_mismatch {
  bool recorded_on = true;
  power_state read = power_state::unknown;

  bool operator==(const power_mismatch&) const = default;
};

struct tell {
  entry_kind kind = entry_kind::decision;
  object_id object;
  std::string code;
  std::string text;
  /// If it tells of one: it is an alert only as long as it is another one.
  std::optional<power_mismatch> mismatch = {};
};

using action
  = std::variant<send_job, call_back, look_soon, give_power, take_power_back,
                 ask_risky, probe, check_program, give_word, take_word_back,
                 amend, keep_powered, take_hold, lift_hold, tell>;

struct verdict : decision<state, action> {
  bool head = false;              ///< what is beside the rows changed
  std::set<std::uint32_t> blocks; ///< of rows that changed for the journal
};

/// Why a request is not taken: a sentence, and its kind for programs.
struct refusal {
  std::string text;
  refused_for kind = refused_for::state;
};

/// The rows of a request, nothing done yet; or why there are none.
std::variant<state, refusal> plan(const errand_request& asked,
                                  const surroundings& w, instant now);

/// Says what `e` means. Total: every event is legal in every state; answers
/// to steps that do not run any more mean nothing.
verdict step(state s, const event& e, const surroundings& w, instant now);

/// The steps of a row, in order.
std::span<const step_kind> steps_of(const state& s, const row& r);

/// What is to be looked at right before that step's command leaves; nothing: it
/// switches off no node that may live and run what Ganeti cannot stop.
std::optional<probe_request> look_before(const state& s, const spot& at,
                                         const surroundings& w);

/// Why not by what that look has found, and how to go on; empty: the node is
/// silent for itself.
std::string against_sight(const state& s, const spot& at, const sighting& seen,
                          const surroundings& w);

/// Why the switch must not send that step's command now; empty: it may.
std::string against_command(const state& s, const spot& at,
                            const surroundings& w);

/// Why that step's job must not leave now, though it is written down; empty: it
/// may.
std::string against_job(const state& s, const spot& at, const surroundings& w);

/// When woken{} is due; `never`: not.
instant due_at(const state& s, const surroundings& w, instant now);

/// What it will do to each of its nodes, as far as that is not done yet.
std::map<node_name, accepted_order> orders_of(const state& s);

/// True for errands that change nothing: they are not resumed.
bool is_reading(const errand_request& x);

/// What changed of its nodes' records was seen by now: only what changes while
/// nobody watches counts later. The blocks of rows that changed for the
/// journal.
std::set<std::uint32_t> note_numbers(state& s, const surroundings& w);

/// True if it wants woken{} with this reading of the cluster.
bool awaits_reading(const state& s, const surroundings& w);

/// The switch command of an errand; status for those without one.
power_verb verb_of(const errand_request& x);

/// The nodes on which it acts, for as long as it goes on; and the settings.
std::vector<node_name> acts_on(const state& s);

/// True if some row did not come out as it should.
bool has_failed(const state& s);

/// `ERRAND/row/step/try`, and back; nothing if it is no such intent.
intent_id intent_of(const state& s, const spot& at);
bool split_intent(const intent_id& x, errand_id& id, spot& at);

// --- words: errand/words.cpp -----------------------------------------------

/// "power-off", "epo", "node-modify", ...
errand_kind kind_of(const errand_request& x);

/// "power-off of node1, node2 (bob: fan broken)".
std::string request_text(const errand_request& x);
/// The rows as people see them, with what is known of their objects.
errand_sheet sheet_of(const state& s, const surroundings& w);
errand_sheet sheet_of(const refusal& x, const errand_request& asked,
                      instant now);

/// What goes on now, a clause.
std::string doing(const state& s);

/// How it ended, a sentence.
std::string account(const state& s);

const char* to_string(step_kind x);

} // namespace orderly::errand
