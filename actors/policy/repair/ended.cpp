// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How a repair job ended, and what that means for its repair.

#include "actors/policy/base/backoff.hpp"
#include "actors/policy/base/job_errors.hpp"
#include "actors/policy/repair/copy.hpp"
#include "actors/policy/repair/moves.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

/// A reinstall has done something by the time that it finds no place.
bool found_no_room(const state& s, const job_event& e) {
  return s.act != act_kind::reinstall && e.phase == job_phase::ended
         && e.status == job_status::error && is_want_of_room(e.text);
}

/// The step never ran: a tag that the same job was to remove before is gone.
bool found_no_tag(const state& s, const job_event& e) {
  auto removes = std::any_of(s.ops.begin(), s.ops.end(), [](const auto& op) {
    return op.kind == op_kind::tags_del;
  });
  return removes && e.phase == job_phase::ended && e.status == job_status::error
         && is_missing_tag(e.text);
}

std::string how_gone(const node_view& home) {
  return fmt::format("its node {} {}", home.name,
                     home.troubled || home.unheard ? "does not answer"
                                                   : "is marked offline");
}

bool is_closed(const job_event& e) {
  return e.phase == job_phase::refused && is_closed_queue(e.text);
}

/// Nothing of the step is under way any more.
void drop_step(state& s) {
  s.from.clear();
  s.onto.clear();
  s.beside.clear();
  s.intent.clear();
  s.ops.clear();
  s.halted = false;
  s.note_text = s.note.empty() ? std::string{} : s.note_text;
}

/// The job did nothing at all: what it would have stopped was not stopped.
void undo(state& s) {
  for (const auto& op : s.ops)
    if (op.kind == op_kind::instance_shutdown)
      s.wanted_up = false;
}

/// It is certain that the job was never sent. With it its tag was not: then
/// there is no repair that would be its own permission.
void unsend(state& s) {
  if (s.untagged)
    s.phase = phase::needs_repair;
  s.untagged = false;
}

/// What speaks against it may pass. Where an instance is down and it does not,
/// a person hears of it, once.
verdict held_back(state s, const facts& seen, std::string text) {
  constexpr std::uint32_t enough = 5;
  auto told = is_risky(s.act) && ++s.unsent == enough;
  auto p = s.phase;
  auto v = rest(std::move(s), p, text);
  if (told)
    v.actions.emplace_back(
      tell{"A.HELD_BACK",
           fmt::format(
             "Instance {} is down, and {} steps of its repair in a row did "
             "not leave: {}. It is tried again after each pause",
             seen.instance.name, enough, text)});
  return v;
}

void note_failure(state& s) {
  s.failed_at_home
    = works_at_home(s.act) && (s.failed_at_home || !s.last_failed);
  s.last_failed = true;
  s.cut = s.cut || s.act == act_kind::reinstall;
}

verdict on_step_failed(state s, const job_ended& e, const rules& r,
                       instant now) {
  auto refused = e.what.phase == job_phase::refused;
  auto text = text_of_end(s, e.what);
  // What tags the job itself has written only the next picture shows.
  auto unseen
    = s.ops.empty() || tags_set_by(s.ops) != nullptr || !s.note.empty();
  auto no_room = found_no_room(s, e.what);
  auto never_ran = refused || found_no_tag(s, e.what);
  if (never_ran)
    undo(s);
  drop_step(s);
  if (refused)
    unsend(s);
  else
    s.moved = end_of(e.what, now);
  // It may still end: until then there is no other.
  if (e.what.phase == job_phase::overdue && e.what.id != 0)
    s.asked = joined(std::move(s.asked), {e.what.id});
  if (no_room) {
    ++s.room_tries;
    s.due = now + backoff(r.retry_base, r.retry_max, s.room_tries);
    s.last_text = "no place: " + text;
    return rest(s, phase::pending, s.last_text);
  }
  if (e.what.untried) {
    s.due = now + r.retry_base;
    s.last_text = text;
    return held_back(std::move(s), e.seen, std::move(text));
  }
  if (is_closed(e.what)) {
    s.due = now + r.retry_base;
    s.last_text = "the queue takes no jobs: " + e.what.text;
    auto p = s.phase;
    auto why = s.last_text;
    if (p != phase::pending) // as it will be told while it waits
      why = needed(e.seen).why + "; " + why;
    return rest(std::move(s), p, std::move(why));
  }
  // A node that died under it is no fault of the mirror's: what the instance
  // needs now is not to be kept from it by that.
  if (works_at_home(s.act) && is_gone(e.seen.primary)
      && e.what.phase == job_phase::ended
      && e.what.status == job_status::error) {
    s.due = now + r.retry_base;
    s.last_text = text + "; " + how_gone(e.seen.primary);
    return rest(s, s.phase, s.last_text);
  }
  ++s.tries;
  if (!never_ran)
    note_failure(s);
  auto again = (never_ran || !is_risky(s.act)) && s.tries < r.tries_max;
  auto x = situation_of(s, e.seen, {}, r, now);
  if (!again)
    return fail(std::move(s), x, std::move(text), unseen);
  text += fmt::format("; try {} of {} failed", s.tries, r.tries_max);
  s.last_text = text;
  s.due = now + backoff(r.retry_base, r.retry_max, s.tries);
  auto p = s.phase;
  return rest(std::move(s), p, std::move(text));
}

/// The step may have run, or run yet: its token tells.
bool is_in_doubt(const state& s, const job_event& e) {
  if (!is_risky(s.act) && s.token != token_state::sent)
    return false;
  auto forgotten = e.phase == job_phase::ended && e.status == job_status::lost
                   && s.token == token_state::sent;
  return e.absent || forgotten || (e.phase == job_phase::overdue && e.id == 0);
}

/// When it was asked last it waited, for its first opcode or between two: its
/// submitter cancels it where it waits.
bool is_overdue_waiting(const job_event& e) {
  return e.phase == job_phase::overdue && e.id != 0
         && e.status < job_status::running;
}

/// What is canceled so has failed at nothing: how it ends decides, and until
/// then there is no other. A person hears that the queue stands.
verdict on_overdue_waiting(state s, const job_ended& e) {
  if (std::exchange(s.withdrawn, true))
    return {std::move(s), {}, {}}; // told again after a restart
  auto text = text_of_end(s, e.what);
  s.due = never;
  s.why = text + "; it is canceled if it still waits";
  verdict v{std::move(s), {}, {}};
  v.actions.emplace_back(
    tell{"A.HELD_BACK",
         fmt::format("The repair of instance {} stands still: {}. It waited "
                     "when it was asked last, and is canceled if it still "
                     "does; then it is tried again. See what it waits for: "
                     "gnt-job info {}",
                     e.seen.instance.name, text, e.what.id)});
  return v;
}

/// Nobody can say any more how the job ended, or whether there was one. What
/// harms nobody is simply tried again.
bool is_unknown(const state& s, const job_event& e) {
  if (e.phase != job_phase::ended)
    return s.ops.empty();
  return e.status == job_status::lost && is_risky(s.act);
}

/// The queue has forgotten the job, or it was only asked for after a restart:
/// it was never sent, or nobody can say.
verdict on_job_missing(state s, const job_ended& e, const rules& r,
                       instant now) {
  auto act = s.act;
  drop_step(s);
  if (e.what.phase == job_phase::refused) {
    unsend(s);
    return look(s, e.seen, {}, r, now);
  }
  if (e.what.id != 0)
    s.asked = joined(std::move(s.asked), {e.what.id});
  s.last_failed = true;
  s.failed_at_home = false;
  s.act = act_kind::record;
  s.moved = now;
  auto text = e.what.status == job_status::lost
                ? fmt::format("how job {} to {} ended is not known: the queue "
                              "has forgotten it",
                              e.what.id, verb_of(act))
                : fmt::format("whether the job to {} was sent before the "
                              "restart is not known",
                              verb_of(act));
  return rest(std::move(s), phase::pending, std::move(text));
}

/// No job of it was ever in the queue. Of one that was only not found nobody
/// knows.
bool never_left(const job_event& e) {
  return e.phase == job_phase::refused && !e.absent;
}

bool came_back(const job_event& e) {
  return e.phase == job_phase::ended ? e.status == job_status::canceled
                                     : e.absent;
}

void note_called_off(state& s, job_id id) {
  constexpr std::size_t most = 8;
  s.called_off = joined(std::move(s.called_off), {id});
  if (s.called_off.size() > most)
    s.called_off.erase(s.called_off.begin());
}

/// It was canceled as we wished, or never came. The tag that it may have set
/// first shows in the next picture, and so does whether its shutdown had run.
verdict on_called_back(state s, const job_ended& e, instant now) {
  auto text = e.what.id == 0
                ? fmt::format("the job to {} was called back, and no job of it "
                              "is found",
                              verb_of(s.act))
                : fmt::format("job {} to {} was called back in time", e.what.id,
                              verb_of(s.act));
  // It may have come as far as its new, empty disks: the next picture shows it.
  s.left = s.act == act_kind::reinstall ? s.from : node_name{};
  drop_step(s);
  unsend(s);
  turn_to(s, act_kind::record); // its tries stay known
  s.last_failed = s.failed_at_home = false;
  // Where another goes on it is found in the tags again, and judged anew.
  if (e.what.by_another)
    note_called_off(s, e.what.id);
  s.moved = end_of(e.what, now);
  auto p = s.phase;
  return rest(std::move(s), p, std::move(text));
}

/// What had an id was sent, whatever the submitter forgot.
job_ended corrected(job_ended e, job_id known) {
  if (known == 0 || e.what.phase != job_phase::refused)
    return e;
  e.what.phase = job_phase::ended;
  e.what.status = job_status::lost;
  e.what.id = known;
  e.what.absent = false;
  e.what.text = "nobody knows it any more";
  return e;
}

} // namespace

verdict without_effect(state s, const situation& x) {
  auto why = fmt::format("the last job to {} ended well, yet {}",
                         verb_of(s.act), x.wants.why);
  if (!s.last_failed) {
    // The picture may have been read too early.
    s.last_failed = true;
    s.failed_at_home = false;
    s.moved = x.now;
    return rest(std::move(s), phase::pending, why + "; looks once more");
  }
  ++s.tries;
  if (is_risky(s.act) || s.tries >= x.limits.tries_max)
    return fail(std::move(s), x, std::move(why));
  s.from.clear();
  s.onto.clear();
  s.due = x.now + backoff(x.limits.retry_base, x.limits.retry_max, s.tries);
  s.last_text = why;
  return rest(std::move(s), phase::pending, std::move(why));
}

verdict on_arming_failed(state s, const job_ended& e, const rules& r,
                         instant now) {
  auto text = text_of_end(s, e.what);
  s.stage = stage::idle;
  s.job = 0;
  drop_step(s);
  disarm(s);
  if (e.what.phase != job_phase::refused)
    s.noted = end_of(e.what, now);
  auto closed = is_closed(e.what);
  verdict v;
  if (e.what.untried || closed) {
    // As if the step itself had not left.
    s.due = now + r.retry_base;
    if (closed)
      text = "the queue takes no jobs: " + e.what.text;
    s.last_text = text;
    v = held_back(std::move(s), e.seen, std::move(text));
  } else {
    ++s.tag_tries;
    s.due = now + backoff(r.retry_base, r.retry_max, s.tag_tries);
    s.last_text = text;
    auto stuck = s.tag_tries == std::max(r.tries_max, 1U);
    v = rest(s, s.phase, text);
    if (stuck)
      v.actions.emplace_back(tell_stuck(e.seen, r.tries_max, text));
  }
  // Only its token may have left.
  v.actions.emplace_back(give_back_permit{true});
  return v;
}

verdict on_repair_ended(state s, const job_ended& given, const rules& r,
                        instant now) {
  auto e = corrected(given, s.job);
  // It was not sent before the restart: it still waits for its proof.
  if (s.halted && e.what.phase == job_phase::refused && e.what.untried
      && !e.what.absent)
    return {std::move(s), {}, {}};
  s.halted = false;
  if (is_overdue_waiting(e.what))
    return on_overdue_waiting(std::move(s), e);
  auto withdrawn = std::exchange(s.withdrawn, false);
  // What never left has spent nothing. Of what is not known it is made certain.
  auto in_doubt = is_in_doubt(s, e.what);
  auto took_token = s.token == token_state::sent;
  if (s.token == token_state::sent && !in_doubt)
    s.token = e.what.phase == job_phase::refused && e.what.untried
                ? token_state::standing
                : token_state::none;
  if (took_token && e.what.phase != job_phase::refused
      && e.what.status != job_status::canceled && !found_no_tag(s, e.what)
      && !in_doubt && is_young(s))
    s.young.clear();
  note_made(s, e.what);
  s.stage = stage::idle;
  s.job = 0;
  s.due = never;
  if (e.what.id != 0)
    s.jobs = joined(std::move(s.jobs), {e.what.id});
  verdict v;
  if (e.what.phase == job_phase::ended
      && e.what.status == job_status::success) {
    s.why = text_of_end(s, e.what);
    s.last_failed = s.failed_at_home = false;
    s.wanted_up = s.wanted_up && s.act != act_kind::reinstall;
    s.cut = s.cut && s.act != act_kind::reinstall;
    s.room_tries = 0;
    s.intent.clear();
    if (const auto* texts = tags_set_by(s.ops)) {
      take_written(s, texts->front());
      s.noted = end_of(e.what, now);
    }
    s.ops.clear();
    s.note_text = s.note.empty() ? std::string{} : s.note_text;
    s.moved = end_of(e.what, now);
    v = look(s, e.seen, {}, r, now);
  } else if ((withdrawn || e.what.by_another) && !in_doubt
             && came_back(e.what)) {
    v = on_called_back(std::move(s), e, now);
  } else if (in_doubt) {
    v = on_absent(std::move(s), e, now);
  } else if (is_unknown(s, e.what)) {
    v = on_job_missing(std::move(s), e, r, now);
  } else {
    v = on_step_failed(std::move(s), e, r, now);
  }
  // What may begin yet keeps its places.
  if (!v.next.unsure)
    v.actions.insert(v.actions.begin(), give_back_permit{never_left(e.what)});
  return v;
}

} // namespace orderly::autorepair
