// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Balancing: when a round may begin, which of its moves are still right when
// their turn comes, and what becomes of them. For the balancer actor.
//
//        due, nothing holds it          model           plan with moves
//   resting ---------------> reading ---------> planning ---------> moving
//     ^ ^  '-- held <--.        |                  |                  |
//     | |        |     '--------+---- no answer ---'                  |
//     | '--------' looked again '------------- nothing to move ---.   |
//     '-----------------------------------------------------------+---'
//                                                    all moves ended
//   off: from anywhere, when it is switched off and nothing is under way
//
// A move of a round, each a workflow of its own (`balance:INSTANCE`):
//
//   waiting -> asking a permit -> checked against the newest picture -> sent
//      ^            | taken           |    ^ its mirror is well          |
//      '------------'                 v    |                             v
//                                    looking: how is its mirror?   ended,
//                                     | not well, or not known     withdrawn
//                                     v
//        dropped, also from anywhere if it is not right any more
//
// Nothing here delays anything else: what is in trouble or being repaired is
// left alone, and what becomes so meanwhile is given up if it can be.

#pragma once

#include "actors/policy/base/decision.hpp"
#include "messages/fields.hpp"
#include "messages/journal_entry.hpp"
#include "messages/permit.hpp"
#include "messages/plan.hpp"

#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace orderly::balance {

/// So often a move asks for a permit that something else holds.
inline constexpr std::uint32_t permit_tries_max = 12;

/// A node that gives no figures holds the round so often; then it goes on
/// without that node. The same with a monitor that gives no load: plans by
/// turns with and without it would undo each other.
inline constexpr std::uint32_t silent_max = 3;

/// Rounds that follow each other without a pause.
inline constexpr std::uint32_t rounds_in_a_row_max = 20;

struct rules {
  bool enabled = false;
  bool disk_moves = true; ///< false: nothing that copies disks
  millis interval{};
  millis hold_pause{}; ///< what holds a round is looked at again
  std::uint32_t moves_max = 0;
  millis picture_max_age{};
  millis retry_base{};
  millis retry_max{};
};

/// Everything a decision rests on, as it is known now.
struct facts {
  cluster_picture picture;   ///< null: not read yet
  instant read_at;           ///< when the reading of it was begun
  millis ahead{};            ///< so far the calendar may be ahead
  bool able = false;         ///< there is somebody to read a model and to plan
  std::string no_right;      ///< why we may not act; empty: we may
  bool mirrors_asked = true; ///< false: nobody does, by the settings
  std::map<node_name, std::string> troubled; ///< or held; why
  /// Fail their checks, or are fenced: what follows may need any node of
  /// their groups.
  std::set<node_name> unwell;
};

/// What the view says of an instance that is not well.
struct repair_news {
  std::string why;
  bool under_way = false; ///< its nodes are better left alone, too

  friend bool operator==(const repair_news&, const repair_news&) = default;
};

/// What the view says, for reading only: it may be late.
struct view_news {
  std::string guard; ///< "paused by anna"; empty: no guard holds anything
  std::map<instance_name, repair_news> repairs;
  std::set<instance_name> unseen; ///< their actors have not looked at them yet
};

enum class stage {
  waiting, ///< until `due`, then a permit is asked for
  asking,  ///< for a permit
  looking, ///< how its mirror is; it has the permit
  sent,    ///< recorded; its job is sent, or asked for after a restart
};

const char* to_string(stage x);

struct move {
  planned_move what;
  /// As it was planned; nullopt: an older journal does not say.
  std::optional<admin_state> admin;
  balance::stage stage = stage::waiting;
  intent_id intent; ///< empty until it is recorded
  job_id job = 0;
  bool withdrawn = false;
  std::uint32_t refusals = 0;
  instant due;      ///< a permit is asked for again; `never`: it is not
  instant looked;   ///< when its mirror was to be asked
  instant well;     ///< when that was asked and said so; `never`: it was not
  std::string text; ///< what it waits for
};

/// An instance whose move failed, or whose mirror was not known to be well.
struct patience {
  instant until;
  std::uint32_t failures = 0;
  std::string why{}; ///< what was said of the mirror; empty: the move failed

  friend bool operator==(const patience&, const patience&) = default;
};

struct state {
  balance_phase phase = balance_phase::off;
  std::uint64_t round = 0;
  instant due;     ///< of the next round
  instant changed; ///< a job ended: older pictures do not count
  std::vector<move> open;
  std::map<instance_name, patience> waits;
  // of the round under way
  cluster_picture planned_on;
  std::set<instance_name> in_round;
  std::map<node_name, std::set<instance_name>> lodgers; ///< as it was planned
  std::uint32_t moved = 0;
  std::uint32_t failed = 0;
  std::uint32_t dropped = 0;
  std::uint32_t held_back = 0; ///< of those, for their mirrors
  // how far we are
  std::uint64_t question = 0; ///< number of the question that counts
  bool viewing = false;       ///< the view was asked
  instant viewed;             ///< reading of the picture when it was asked
  bool resume_due = false;    ///< moves from before a restart are open
  std::uint32_t failures
    = 0; ///< models and plans in a row that came to nothing
  std::uint32_t in_a_row = 0;                ///< rounds without a pause
  std::map<node_name, std::uint32_t> silent; ///< readings in a row
  std::uint32_t unloaded = 0; ///< models in a row that lack the load
  view_news seen;
  std::vector<std::string> remarks; ///< of the last model
  std::string text;                 ///< what goes on, or what is waited for
  std::string told;                 ///< what was journalled of that last
};

/// Something is new, or it is time to look.
struct looked {};

/// The view answered, or did not.
struct viewed {
  std::uint64_t question = 0;
  bool answered = false;
  view_news seen;
};

struct model_read {
  std::uint64_t question = 0;
  bool answered = false;
  std::vector<node_name> silent;
  std::vector<std::string> remarks;
  std::string text;      ///< why there is none
  std::string no_load{}; ///< why the load is not in it, if it should be
};

struct planned {
  std::uint64_t question = 0;
  plan_answer plan;
};

struct permit_answered {
  instance_name instance;
  permit answer;
};

/// What was heard of the mirror of an instance, or why nothing was.
struct mirror_answered {
  instance_name instance;
  instant at; ///< when it was asked
  bool well = false;
  std::string text; ///< why it is not known to be well
};

/// What was refused to that owner could be permitted now.
struct permit_called {
  object_id owner;
};

using event = std::variant<looked, viewed, model_read, planned, permit_answered,
                           mirror_answered, permit_called, job_event>;

struct ask_view {
  std::uint64_t question = 0;
};

struct read_figures {
  std::uint64_t question = 0;
};

/// Of the model that was read, with the picture of this moment.
struct make_plan {
  std::uint64_t question = 0;
  std::set<node_name> closed;
  std::set<instance_name> fixed;
};

struct ask_permit {
  instance_name instance;
  std::vector<node_name> leaves;
  std::vector<node_name> joins;
  bool resumed = false;
  std::vector<node_name> also = {}; ///< compare `permit_request::also`
};

struct ask_mirror {
  instance_name instance;
};

struct give_back_permit {
  instance_name instance;
};

/// Without opcodes: say what became of it.
struct submit {
  intent_id intent;
  instance_name instance;
  std::vector<opcode> ops;
  std::string why;
};

struct withdraw {
  intent_id intent;
};

/// A row of the journal about one move.
struct tell {
  instance_name instance;
  entry_kind kind = entry_kind::decision;
  std::string code;
  std::string text;
};

using action
  = std::variant<ask_view, read_figures, make_plan, ask_permit, ask_mirror,
                 give_back_permit, submit, withdraw, tell>;

using verdict = decision<state, action>;

/// Total, deterministic. `tell` is to be written down, with the next state,
/// before any other action is carried out.
verdict step(const state& s, const event& e, const facts& seen, const rules& r,
             instant now);

/// When it should look again without news; `never`: news will do.
instant due_at(const state& s, const rules& r);

/// What is to be left alone, and why.
struct taboo {
  std::map<node_name, std::string> closed;
  std::map<instance_name, std::string> fixed;
};

/// Of moves that are `sent` neither jobs of others count, which stand behind
/// them in the queue, nor that nobody has looked at an instance yet.
taboo taboo_of(const state& s, const facts& seen, instant now,
               bool sent = false);

/// What forbids this move, whether it was sent or not; empty: nothing.
std::string forbidden(const move& m, const taboo& t);

/// It was planned while its instance was stopped, and that runs by now: the job
/// would shut it down, and where its home is offline start it twice. Empty: not
/// so. What a person stops meanwhile arrives stopped.
std::string started(const move& m, const facts& seen);

/// Why this move is not to be sent any more; empty: it is.
std::string objection(const move& m, const state& s, const facts& seen,
                      const taboo& t);

/// One copy is given up, or becomes the only one that is written to: it needs a
/// mirror that is known to be well.
bool rests_on_mirror(const planned_move& x);

/// Why a move that is about to leave must not after all, whatever the picture
/// says: its mirror was not asked in this life, or too long ago. Empty: it may.
std::string stale(const move& m, instant now);

/// "moves web1 from node1 to node2: score 3.21 -> 2.98, reserved_mem_cv
/// -0.031".
std::string sentence_of(const planned_move& x);

/// The nodes that it leaves or fills, apart.
std::vector<node_name> left_by(const planned_move& x);
std::vector<node_name> filled_by(const planned_move& x);

/// All nodes that it has to do with.
std::vector<node_name> nodes_of(const planned_move& x);

/// Jobs of moves that are none of ours: another master sent them, or luxid
/// reads them after we had given them up. Nobody judges them any more.
std::vector<running_job> strays_of(const state& s, const cluster_record& seen);

/// All but the plan, which the shell keeps.
balance_sheet sheet_of(const state& s, const facts& seen, const rules& r,
                       instant now);

/// What outlives a restart: the round, the moves that were sent, and whose
/// move failed.
fields to_fields(const state& s);
state from_fields(const fields& f);

/// `to_fields` of both is the same: said without making either.
bool kept_alike(const state& a, const state& b);

/// Of a state from the journal: no wait is longer than the longest.
void date(state& s, const rules& r, instant now);

/// `balance:web1`, the owner of its permit and its job.
object_id object_of(const instance_name& name);

} // namespace orderly::balance
