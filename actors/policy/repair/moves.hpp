// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The moves that the autorepair machine is made of: staying put, sending a
// job, ending a repair. Each takes the state as it is so far and gives the
// whole answer. Used by the machine's own files only.

#pragma once

#include "actors/policy/repair/autorepair.hpp"
#include "actors/policy/repair/plan.hpp"
#include "actors/policy/repair/record.hpp"

namespace orderly::autorepair {

/// What a decision is made from, worked out once.
struct situation {
  const facts& seen;
  const rules& limits;
  instant now;
  incident_id fresh; ///< empty: no new repair can start now
  tag_record tags;
  need wants;
  permission may;
  bool asked_room = false; ///< spare nodes were asked, or their answer is known
};

/// What may be done: by the tags (`own_tags` are the instance's, as far as
/// they count), unless a person works on one of its nodes.
permission permission_in(const facts& seen,
                         const std::vector<std::string>& own_tags, instant now);

situation situation_of(const state& s, const facts& seen, incident_id fresh,
                       const rules& r, instant now);

/// So long a repair waits for its first permit without a tag, and another
/// daemon's token for its step: most waits are over sooner, and each tag is a
/// job.
inline constexpr auto tag_patience = minutes{1};

/// Nothing is started: in that phase, for that reason.
verdict rest(state s, phase p, std::string why);

/// The job of somebody else that works on the instance, as what is waited for;
/// or empty.
std::string worked_on(const situation& x);

/// Why nothing may be started just now; empty if something may. `would` is
/// what is told if auto-repair is switched off or only observes.
std::string held(const state& s, const situation& x, const std::string& would);

/// The same for what needs no permission: it makes sure that nothing begins.
std::string held_up(const state& s, const situation& x,
                    const std::string& would);

/// Neither switched off nor observing.
inline bool acts(const rules& r) {
  return r.enabled && !r.observe;
}

/// Tags that have had their day, apart from those that a move replaces. Under a
/// suspension only tokens: all else waits for its end.
std::vector<std::string> leftovers(const situation& x);

/// If there is nothing better to do: tags that are over go.
verdict tidy(verdict v, const situation& x);

/// One job that first adds, then removes tags. `base` starts its intent.
verdict send_tags(state s, const situation& x, const incident_id& base,
                  std::vector<std::string> set, std::vector<std::string> del,
                  std::string why);

/// The start of the intents of a repair: somebody may write the same pending
/// tag on several instances.
inline std::string intent_base(const incident_id& id, const situation& x) {
  return id + "/" + x.seen.instance.name + "/";
}

/// Does a job of tags nothing but end repairs?
bool only_ends(const std::vector<opcode>& ops);

/// Does it write that one of them ended well?
bool ends_well(const std::vector<opcode>& ops);

/// Why tags may not be written just now, or empty.
std::string against_tags(const state& s, const situation& x);

/// A picture so old that nothing is begun on it.
bool is_stale(const facts& seen, const rules& r, instant now);

/// What goes from a failed instance: tokens, whosever they are, suspensions
/// that are over, and pending tags of the repair that failed.
std::vector<std::string> leftovers_of_failed(const situation& x);

/// `texts` and those that say that a permission is too weak.
std::vector<std::string> with_enoperms(std::vector<std::string> texts,
                                       const situation& x);

/// Why it is not known that its home is well, though the record has it in
/// service: a clause, or empty.
std::string home_unseen(const facts& seen);

/// Does a node of an instance not answer, or is it out of service?
bool is_gone(const node_view& x);

/// Why what the job in `s` writes of the end of its repair is not what would be
/// written now; empty: it is, or the job writes no end.
std::string ends_otherwise(const state& s, const situation& x);

/// The current repair ends well, if its home is seen to be well.
verdict all_done(state s, const situation& x);

/// It is written as failed as soon as nothing holds that.
verdict fail_once_free(state s, const situation& x, std::string why);

/// A reinstall was called back when its shutdown had run already.
verdict stopped(state s, const situation& x);

/// It needs more than its pending tag `p` allows, or has failed below that.
verdict too_risky(state s, const situation& x, const standing_pending& p);

/// What its pending tag came with permits it no more, and the next in the queue
/// needs no permission: it would wait for this one.
bool is_in_the_way(const state& s, const situation& x);

/// That one ends.
verdict make_way(state s, const situation& x, const standing_pending& p);

/// The current repair ends as a failure; sticks until that is written.
/// `later`: with the next picture, which shows what tags there are. While
/// auto-repair is off or observes there is no verdict: judged anew later.
verdict fail(state s, const situation& x, std::string why, bool later = false);

/// The opcode that the others of a job are there for; null if there is none.
const opcode* main_op(const std::vector<opcode>& ops);

/// "failover of web1", or "nothing".
std::string describe(const std::vector<opcode>& ops);

/// Why the job under way is not to do what it was sent for.
std::string otherwise_done(const plan& todo);

/// The current repair as a pending tag.
std::string pending_text(const state& s);

/// Does its pending tag name other jobs than the repair has had?
bool is_outdated(const state& s, const standing_pending& p);

/// The pending tag of a repair that has none yet, in a job of its own.
verdict send_pending(state s, const situation& x, std::string why);

/// The mark that no step of the repair has run, if it stands there.
std::vector<std::string> unbegun_mark(const state& s, const situation& x);

/// Does the token that it took before stand there still? What came out of an
/// older journal may believe so of one that is spent.
bool has_token(const state& s, const situation& x);

/// The repair ends: to the tags that go, adds its token that no step has spent,
/// and the mark of that.
void drop_token(std::vector<std::string>& del, const state& s,
                const situation& x);

/// The job that removes the token of a step of unknown fate has ended.
verdict on_token_removed(state s, const job_ended& e, instant now);

/// Did that job find the token, or find it gone? Else it is sent again.
bool tells_of_token(const job_event& e);

/// Is the job under way that one?
inline bool removes_token(const state& s) {
  return s.unsure && s.stage == stage::noting && s.token == token_state::sent;
}

/// Opcodes that bring the pending tag up to date, in front of a step that takes
/// no token.
std::vector<opcode> prelude(const state& s, const situation& x);

/// A job that waits in the queue, as the tags see it.
struct waiting_step {
  incident_id repair;
  tags::repair_type type;
  bool tagged;        ///< the repair's pending tag stood before the job did
  bool young = false; ///< ... with its token: the tags have to permit it
};

/// What speaks against any step, whatever permits it: a failure tag, a
/// suspension; or empty.
std::string against_all(const situation& x);

/// Why the tags, or persons at work, would not let it leave now; empty: they
/// would.
std::string unpermitted(const waiting_step& job, const situation& x);

/// Takes over the repair of a tag. What became of its jobs is asked for.
void adopt(state& s, const tags::pending& tag, const situation& x);

/// Jobs that were sent, and whose ids nobody lived to write down, if the search
/// for them was answered.
void take_trails(state& s, const situation& x);

/// The token that another daemon, or an earlier life, has set for that repair;
/// null: none stands.
const std::string* token_of_another(const situation& x,
                                    const incident_id& repair);

/// One that stands, for this repair if there is one. There is one at least.
std::string first_armed(const situation& x, const incident_id& repair);

/// Whoever set that token of a repair is about to send its step, or has died
/// before: it is waited for a while, then the token is removed.
verdict armed_by_another(state s, const situation& x, std::string token);

/// What the repair waits for before its earlier jobs are judged; empty: they
/// have ended, and `s` says how.
std::string unknown_end(state& s, const situation& x);

/// A node that must be down for it gives a sign of life.
bool lives_somewhere(act_kind act, const facts& seen);

/// Why no other try is allowed after jobs of which only is known that they
/// failed, or not even that; else empty.
std::string spent(const state& s, const situation& x, const plan& todo);

/// What is known of the mirror is from before our last job.
bool awaits_mirror(const state& s, const situation& x);

/// The last step has done what it was there for.
void step_is_done(state& s);

/// What a reading of so long after a move shows others may have done. It is
/// moved again, and not for ever.
bool is_long_ago(const state& s, const situation& x);

/// A reading from after the step shows what it did. What is wrong later on is
/// another trouble, and what moved later was moved by others.
void see_effect(state& s, const situation& x);

/// Its nodes are in service after a reinstallation that did not end well: it
/// has disks, and nobody can say that there is a system on them.
verdict cut_short(state s, const situation& x);

/// May its reinstallation have ended between its new disks and its system?
bool was_cut(const state& s, const situation& x);

/// The pending tag is written before the repair job, and again with its id,
/// in jobs of their own.
inline bool tags_apart(const rules& r) {
  return r.job_delay > millis{0} || r.single_pass;
}

/// The permission of now is enough for the type of the current repair.
inline bool is_permitted(const state& s, const situation& x) {
  return x.may.what == permission::verdict::enabled && x.may.up_to >= s.type;
}

/// The permit that the step in `s` takes.
ask_permit question_of(const state& s);

/// The next step is that one. Tries of the last one are kept for when it is due
/// again.
void turn_to(state& s, act_kind act);

/// The pending tag of the current repair permits nothing by itself yet.
inline bool is_young(const state& s) {
  return !s.young.empty() && s.young == s.repair;
}

/// As `close`, of one that has failed: what its tags still need is tried with
/// growing pauses.
void lay_down(state& s);

/// Forgets the current repair, except its id.
void close(state& s);

/// Fills in `why` if there is news since `before`, and if it is to be told.
verdict finish(const state& before, verdict v, const rules& r);

/// Which opcode of a tag job comes first: the second one runs only if the
/// first ended well.
enum class tag_order { sets_first, removes_first };

/// One job's opcodes that set and remove tags of an instance.
std::vector<opcode> tag_job(const instance_name& name,
                            std::vector<std::string> set,
                            std::vector<std::string> del, tag_order order);

/// The tags that a job sets; null if it sets none.
const std::vector<std::string>* tags_set_by(const std::vector<opcode>& ops);

/// It is to be reinstalled, and may be.
bool wants_reinstall(const situation& x);

inline bool has_tag(const facts& seen, const std::string& text) {
  const auto& all = seen.instance.tags;
  return std::find(all.begin(), all.end(), text) != all.end();
}

/// A picture from before the end of our last job shows what was, not what is.
inline bool is_older(const facts& seen, instant end) {
  return end != never && seen.read_at <= end;
}

/// So old a verdict of ours is not written beside an instance in order. While
/// its good end cannot be written either it stands: the tag of its repair does,
/// and a later trouble would go on under that with all its tries anew.
inline bool is_overtaken(const state& s, const situation& x) {
  return !x.wants.broken && s.moved != never && x.now - s.moved >= minutes{10}
         && x.may.what != permission::verdict::suspended;
}

/// Which job of it, overdue when it was given up, has not ended yet as far as
/// is known; empty: none.
std::string open_end(const state& s, const situation& x);

/// What was overdue when it was given up: its end counts, if it is good.
bool ended_well_after_all(const state& s, const situation& x);

/// Another daemon works on that repair, or has ended it: what we found of it is
/// judged anew.
bool goes_on_elsewhere(const state& s, const situation& x);

/// Stage idle: looks at `seen`, unless it is older than what we did.
verdict look(const state& before, const facts& seen, incident_id fresh,
             const rules& r, instant now);

/// When the job ended, never in the future.
instant end_of(const job_event& e, instant now);

/// "job 7 for the failover of web1 ended with status error: ...".
std::string text_of_end(const state& s, const job_event& e);

/// The tag was written: what that makes of the repair.
void take_written(state& s, const std::string& text);

/// Has the id of the job that runs put into the pending tag, while it waits.
void note_job(verdict& v, const rules& r);

/// The job that notes another one's id came to an end.
verdict on_note_ended(state s, const job_ended& e, const rules& r, instant now);

/// The repair job came to an end.
verdict on_repair_ended(state s, const job_ended& e, const rules& r,
                        instant now);

/// Its tags are written, and are to be seen for a while before its step.
inline bool lets_see(const state& s) {
  return s.stage == stage::arming && s.intent.empty();
}

/// The token is there, and the permit is held: goes, if everything still
/// speaks for it.
verdict on_armed(state s, const situation& x);

/// The last job ended well, yet the same step from the same node is needed.
verdict without_effect(state s, const situation& x);

/// The job that was to write its token did not do so.
verdict on_arming_failed(state s, const job_ended& e, const rules& r,
                         instant now);

/// A person hears that tags cannot be changed.
tell tell_stuck(const facts& seen, std::uint32_t tries,
                const std::string& text);

/// Its token could not be written: it asks for a permit anew.
void disarm(state& s);

/// A permit was answered.
verdict on_permit(const state& before, const permit_answered& e, const rules& r,
                  instant now);

/// A step of before a restart is not sent again after all: it is asked for.
verdict on_doubted(const state& s, const doubted& e, instant now);

/// Nobody knows whether a step that may be done but once has run: two searches
/// of the queue found no job. The next picture tells.
verdict on_absent(state s, const job_ended& e, instant now);

/// It is that picture: goes on only if the instance and its tags, too, say that
/// the step never ran; else a person is asked.
verdict settle(state s, const situation& x);

/// Keeps what is known of the copies.
void remember_copy(state& s, const facts& seen);

/// What outlives a state that is over: what was known of a copy that nobody
/// asks about, and that the instance may run.
void keep_copy(state& to, const state& from, const facts& seen);

/// Decides, and tells a person what hinders a failover that is permitted: the
/// copy that is left, no room, or a job of somebody's that does not end.
verdict decide_and_warn(const state& s, const situation& x);

/// Decides in stage idle, from a picture that is new enough.
verdict decide(const state& s, const situation& x);

} // namespace orderly::autorepair
