// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The repair of one instance: the machine of spec repair A.7.
//
//                 broken, allowed            jobs done, healthy
//   healthy ------------------------> pending ----------------> healthy
//      | broken, not allowed           |  ^  '-- next step, same id
//      v                               |  '--- no room: wait
//   needs-repair <-- too weak ---------'
//                                      '--- a job failed --> failed
//
// The tags are the state of record: what the machine keeps beside them is
// only what tags cannot hold. Order of a step (A.8): pending tag with no
// job, then the job, then the tag with the job's id. Each step takes a token
// with its tag, while its permit is held: token.hpp.

#pragma once

#include "actors/policy/base/decision.hpp"
#include "actors/policy/repair/facts.hpp"
#include "actors/policy/repair/permission.hpp"
#include "messages/cluster.hpp"
#include "messages/fields.hpp"
#include "messages/job.hpp"
#include "messages/permit.hpp"
#include "messages/standing.hpp"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace orderly::autorepair {

struct rules {
  bool enabled = false; ///< false: does nothing and says nothing
  bool observe = false; ///< says what it would do, does nothing
  std::uint32_t tries_max = 3;
  millis retry_base{};
  millis retry_max{};
  millis proof_max_age{}; ///< of the last reading behind a proof
  millis word_max_age{};  ///< of a person's word
  /// An older picture speaks for nothing; zero: no bound.
  millis picture_max_age{};
  millis job_deadline{};
  /// The offline mark of a node without power control proves that it is off.
  bool offline_vouches = false;
  /// So long a step waits with its token in place, and is judged again after
  /// it. Without tokens its job begins with such a wait, in which its id is put
  /// into the tag; else it gets there with the next step.
  millis job_delay{};
  /// Each step takes one first: compare token.hpp. A single pass looks only
  /// once, and does as the original: its steps have none.
  bool tokens = false;
  bool name_nodes = true; ///< of a reinstall; false: the allocator picks
  std::string allocator;
  bool single_pass = false; ///< a job that is sent and noted is enough
};

/// After a restart proofs are read again within that.
inline constexpr auto proofs_reread = minutes{1};

using phase = repair_phase;

/// Which part of a step is under way.
enum class stage {
  idle,       ///< nothing of ours runs
  tagging,    ///< the job that writes the pending tag runs
  permitting, ///< the permit was asked for
  arming,     ///< it is held, and the job that writes the token runs
  repairing,  ///< the repair job runs
  noting,     ///< the job that updates the tags afterwards runs
};

const char* to_string(stage x);

/// How far the token of a step is: see token.hpp.
enum class token_state {
  none,     ///< there is none, or it does not count any more
  standing, ///< it is on the instance, and no job of ours is to remove it
  sent,     ///< a job that may have been sent removes it
};

struct state {
  autorepair::phase phase = autorepair::phase::healthy;
  autorepair::stage stage = autorepair::stage::idle;
  incident_id repair; ///< id of the current repair, or empty
  tags::repair_type type = tags::repair_type::fix_storage;
  instant started;          ///< its time; never changes for the id
  std::vector<job_id> jobs; ///< whole list, also when the tag is shortened
  intent_id intent;         ///< of the job under way
  job_id job = 0;           ///< of the job under way, once its id is known
  std::vector<opcode> ops;  ///< of the job under way
  act_kind act = act_kind::record;
  node_name from; ///< node that the step leaves; kept until its effect is seen
  node_name left; ///< its home when its reinstallation was called back
  instant left_seen;      ///< a reading of then still has it there
  bool cut = false;       ///< its reinstallation failed: its disks may be empty
  node_name onto;         ///< node that takes the load, if it is known
  node_name beside;       ///< a second one that does
  bool untagged = false;  ///< the pending tag comes with the first job
  bool wanted_up = false; ///< our own job marked it down: to be started again
  bool half_told = false; ///< ... and a person was told that it is not
  std::uint32_t shut_by = 0;   ///< number of that job's token; 0: it had none
  bool mending = false;        ///< the step repairs a mirror in place
  bool turned_away = false;    ///< the last permit was refused
  bool taken = false;          ///< ... because another held what it needs
  bool withdrawn = false;      ///< the job under way was called back
  bool tags_withdrawn = false; ///< likewise, the tag job
  bool halted = false;         ///< found after a restart: waits for its proof
  bool unsure = false;         ///< nobody knows whether the step ran
  bool untraced = false; ///< taken over; jobs that no tag names are sought
  bool revoked = false;  ///< its tag came with a job that was called back
  /// That repair's pending tag came with a token, and no step of it has run: it
  /// permits nothing by itself. Kept beside a failure tag, which ends no
  /// pending tag of another repair.
  incident_id young;
  bool wants_room = false;      ///< spare nodes shall be asked for room
  std::uint32_t room_tries = 0; ///< steps that found no room
  std::vector<job_id> asked;    ///< taken over, or overdue: how did they end?
  /// Canceled by whoever had the right to act meanwhile; the newest ones, kept
  /// over the end of their repair, which the other may go on with.
  std::vector<job_id> called_off;
  intent_id note;         ///< of the job that notes a running job's id
  std::string note_text;  ///< the tag that it writes
  std::uint32_t step = 0; ///< counts intents of this repair
  autorepair::token_state token = autorepair::token_state::none;
  std::uint32_t token_number = 0; ///< of the last one that was drawn
  intent_id sought;               ///< of the job whose token is removed
  /// Somebody else's token of this repair stands there since then.
  instant armed_since;
  instant traced_after;    ///< only a later search finds all jobs; `never`: any
  std::uint32_t tries = 0; ///< failed tries of the step `act`
  /// Of another step that was due before and may be again, and which that is:
  /// two needs that take turns are not tried for ever.
  std::uint32_t tries_before = 0;
  act_kind act_before = act_kind::record;
  std::uint32_t tag_tries = 0; ///< failed tries of writing tags
  instant moved; ///< end of the last repair job: older pictures do not count
  /// ... of the last that made a copy anew, or may have: what was heard before
  /// of either may be of another copy.
  instant remade;
  instant noted; ///< end of the last tag job: older pictures show old tags
  instant due;   ///< not before; `never`: no wait
  bool last_failed = false;
  /// Nothing but what runs at its home: that it dies may be why.
  bool failed_at_home = false;
  std::string last_text; ///< how the last job ended
  /// Ids of pending tags here that are another instance's: they stay so when
  /// that one's tag is gone.
  std::vector<incident_id> strange;
  /// The tag that we wrote last, until a newer picture has shown it.
  std::string written;
  /// The copy on this node was faulty when it was asked last; or empty.
  node_name bad_copy;
  node_name copy_beside; ///< the home then; empty: an older journal's
  std::string copy_fault;
  instant copy_since;
  instant copy_last;
  bool copy_read = false;    ///< by its answers
  /// The job that was to give it a mirror elsewhere than on this node did not
  /// end well: one that is elsewhere is half made as far as anybody knows.
  node_name unmade_from;
  job_id unmade_by = 0; ///< that job; 0: none that is known
  home_trouble home_fault;   ///< when its mirror was asked last; or empty
  bool copy_told = false;    ///< a person was told that it is in the way
  bool shut_unheard = false; ///< marked down, and may run at its silent home
  job_id foreign = 0;        ///< keeps it from being started elsewhere, or zero
  instant foreign_since;
  bool foreign_told = false; ///< likewise
  instant roomless_since;    ///< it is down and finds no place; `never`: no
  bool roomless_told = false;
  std::uint32_t unsent = 0; ///< steps in a row that a last look held back
  std::string why;          ///< why it is in this phase, what it waits for
  std::string told;         ///< the last `why` that was journalled

  friend bool operator==(const state&, const state&) = default;
};

/// New facts, or the time to look again.
struct looked {
  facts seen;
  /// An id for a new repair, should one be needed (a fresh UUID).
  incident_id fresh_id;
  /// The permit that was refused could be had now: what is needed is judged
  /// afresh, and asked for again if it still is.
  bool called = false;
};

struct permit_answered {
  facts seen; ///< read again right before acting
  bool granted = false;
  std::string why;
  instant retry_at;
  bool taken = false; ///< refused because another permit holds what it needs
};

/// The job with `state::intent` came to an end (or is overdue).
struct job_ended {
  job_event what;
  facts seen;
};

/// The job with `state::intent` is in the queue.
struct job_started {
  job_event what;
};

/// What spoke for a `submit` that is `again` fell before it was handed over.
struct doubted {
  intent_id intent;
  std::string why;
};

using event
  = std::variant<looked, permit_answered, job_ended, job_started, doubted>;

/// Send this job; its end comes back as `job_ended`. Without opcodes: send
/// nothing, but say what became of the intent.
struct submit {
  intent_id intent;
  std::vector<opcode> ops;
  std::string why;
  instant seen_at = never; ///< when what it rests on was read
  bool once = false;       ///< may ruin something if done twice
  /// It may have been sent before a restart: what does not leave after all
  /// comes back as `doubted`, and says nothing of what was sent.
  bool again = false;
};

struct ask_permit {
  act_kind act = act_kind::failover;
  std::vector<node_name> leaves;
  std::vector<node_name> joins;
};

/// `unused`: it is certain that nothing left under it.
struct give_back_permit {
  bool unused = false;
};

/// The job under way is not wanted any more: cancel it if it has not started.
/// How it ended comes back as `job_ended`.
struct withdraw {
  intent_id intent;
};

struct tell {
  std::string code;
  std::string text;
};

using action
  = std::variant<submit, ask_permit, give_back_permit, withdraw, tell>;

using verdict = decision<state, action>;

/// Total, deterministic. After a restart of the daemon the shell feeds
/// `looked`; a stage other than idle is then resumed by sending its job again
/// under the same intent (the job submitter knows it) or asking again for the
/// permit.
verdict step(const state& s, const event& e, const rules& r, instant now);

/// Why the job of that intent shall not leave after all, now that all is
/// written down; empty: everything still speaks for it.
std::string second_thoughts(const state& s, const intent_id& intent,
                            const facts& seen, const rules& r, instant now);

/// The strays that shall not begin: nobody judges them any more but we, and we
/// do not see what would have to speak for them now. No grace is given: what
/// is needed after all is sent again.
std::vector<stray_job> groundless(const facts& seen, const rules& r,
                                  instant now);

/// May ruin something if done twice: never tried again.
inline bool is_risky(act_kind x) {
  return x == act_kind::failover || x == act_kind::reinstall;
}

/// True if a restart must begin with `resume`: something of ours, or a job
/// that notes something, is under way.
inline bool is_under_way(const state& s) {
  return s.stage != stage::idle || !s.note.empty();
}

/// Does it wait to be called, because a permit was refused?
inline bool waits_for_permit(const state& s) {
  return s.stage == stage::idle && s.turned_away;
}

/// Sends again what was under way: after a restart.
verdict resume(const state& s, const facts& seen, const rules& r, instant now);

/// A row of the machine's table (spec repair A.7), for people and tests: from
/// one rest, when nothing of ours is under way, to the next. Two rows may
/// follow each other without a rest between.
struct transition {
  const char* from; ///< a phase
  const char* when;
  const char* to;   ///< a phase
  const char* tags; ///< sorts of tags written: "pending", "success", "failure",
                    ///< "enoperm", "removed" (only), or "none"; with commas
  const char* why;  ///< what it is good for
};

const std::vector<transition>& transitions();

/// The table as text for the documentation: a Mermaid diagram, then the rows.
std::string transition_diagram();

/// What is wrong with the instance, and what it would take (A.4). `type` is
/// nullopt if nothing is wrong or nothing may ever be done about it.
struct need {
  std::optional<tags::repair_type> type;
  std::string why; ///< "primary node2 is offline"; empty if healthy
  bool broken = false;
  bool copy_hinders = false; ///< only that the one copy left is faulty
};

/// A shorter silence of its node leaves a mirror what it was.
inline constexpr millis apart_for = minutes{1};

/// What was heard of the mirror, as the shell knows it.
struct mirror_news {
  std::vector<disk_fault> fault; ///< by the last answer; empty: none
  bool well = false;             ///< the last answer said so
  instant at;                    ///< of that answer
  /// Since when its node is not heard while the home may write, if that lasts
  /// for `apart_for`; else `never`. They may not see each other either, and
  /// then what is written does not get there.
  instant apart = never;
  bool asked = true; ///< somebody asks, from time to time
  /// It may have been its home that was dying: nobody knows yet whether that
  /// was heard after the answer.
  bool pending = false;
};

/// Fills in what is known of the copies on the mirror and on the home. That
/// does not end because its nodes cannot be asked any more: only a later answer
/// that it is well ends it, or a new mirror, or a new home.
void recall_copy(const state& s, const mirror_news& heard, facts& seen);

need needed(const facts& seen);

/// The machine waits for a picture that is newer than `seen`, or needs new
/// ones soon.
bool wants_picture(const state& s, const facts& seen);

/// What state and permission make of this: for `explain`.
instance_standing standing(const state& s, const facts& seen,
                           const rules& limits, instant now);

/// A repair out of a journal that is older than what it tells of: jobs that it
/// does not know are sought, and their intents and tokens not used once more.
/// `fresh` is an id that nobody else drew.
void take_older(state& s, const incident_id& fresh, instant now);

/// A repair that goes on after a restart, or after another daemon's token for
/// it is gone: that one may have acted meanwhile, and its jobs are sought,
/// whatever the queue answered before.
void take_restarted(state& s, instant now);

fields to_fields(const state& s);
state from_fields(const fields& f);

/// What stays true of it under another name, and nothing of its repair.
fields nameless_fields(const state& s);
state nameless_from(const fields& f);

/// Times from a journal that are not yet, because the calendar was set back,
/// keep nothing waiting: what was read since counts, and a try comes due.
void date(state& s, const rules& r, instant now);

} // namespace orderly::autorepair
