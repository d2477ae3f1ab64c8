// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/repair/autorepair.hpp"

#include "actors/policy/base/backoff.hpp"
#include "actors/policy/repair/moves.hpp"
#include "actors/policy/repair/token.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

bool has_job(stage x) {
  return x == stage::tagging || x == stage::arming || x == stage::repairing
         || x == stage::noting;
}

verdict on_started(const state& before, const job_event& e, const rules& r) {
  auto s = before;
  if (!has_job(s.stage) || e.intent != s.intent || e.id == 0 || s.job == e.id)
    return {std::move(s), {}, {}};
  s.job = e.id;
  // After a restart proofs are read again first: compare `fallen`.
  if (std::exchange(s.halted, false))
    s.due = e.at + proofs_reread;
  else if (!s.ops.empty())
    s.due = never;
  if (s.stage == stage::repairing) {
    s.left.clear();
    s.jobs = joined(std::move(s.jobs), {e.id});
    s.unsent = 0;
  }
  s.why = fmt::format("job {}: {}", e.id,
                      s.ops.empty() ? s.intent : describe(s.ops));
  verdict v{std::move(s), {}, {}};
  note_job(v, r);
  return v;
}

verdict on_tags_written(state s, const job_ended& e, const rules& r,
                        instant now) {
  auto ops = std::move(s.ops);
  auto holds = s.stage == stage::arming; // its permit
  s.ops.clear();
  s.intent.clear();
  s.job = 0;
  s.stage = stage::idle;
  s.tag_tries = 0;
  s.noted = end_of(e.what, now);
  const auto* texts = tags_set_by(ops);
  if (texts == nullptr)
    return {std::move(s), {}, {}};
  take_token(s, ops);
  take_written(s, texts->front());
  s.why = s.phase == phase::healthy ? "repaired" : s.why;
  if (holds && r.job_delay > millis{0}) {
    // Others are to see its tags first. Nobody else gets its places meanwhile.
    s.stage = stage::arming;
    s.due = s.noted + r.job_delay;
    s.why = fmt::format("lets others see its tags before it goes on to {}",
                        verb_of(s.act));
    return {std::move(s), {}, {}};
  }
  if (holds)
    return on_armed(s, situation_of(s, e.seen, {}, r, now));
  // The step follows at once: what was written is known without a new look.
  if (s.phase == phase::pending && !is_older(e.seen, s.moved))
    return decide(s, situation_of(s, e.seen, {}, r, now));
  return {std::move(s), {}, {}};
}

verdict on_tags_ended(state s, const job_ended& heard, const rules& r,
                      instant now) {
  auto e = heard;
  // What we took back failed at nothing.
  if (std::exchange(s.tags_withdrawn, false)
      && e.what.status == job_status::canceled)
    e.what.untried = true;
  if (removes_token(s) && tells_of_token(e.what))
    return on_token_removed(std::move(s), e, now);
  auto well
    = e.what.phase == job_phase::ended && e.what.status == job_status::success;
  if (!well && s.stage == stage::arming)
    return on_arming_failed(std::move(s), e, r, now);
  if (well)
    return on_tags_written(std::move(s), e, r, now);
  auto text = text_of_end(s, e.what);
  // Only what the queue refused counts, and only while somebody acts on it.
  auto counts = !e.what.untried && acts(r);
  s.tag_tries = counts ? s.tag_tries + 1 : std::max(s.tag_tries, 1U);
  s.due = now + backoff(r.retry_base, r.retry_max, s.tag_tries);
  if (e.what.phase != job_phase::refused)
    s.noted = end_of(e.what, now);
  if (s.phase != phase::failed)
    s.last_text = text;
  s.intent.clear();
  s.ops.clear();
  s.job = 0;
  auto tries = s.tag_tries;
  auto p = s.phase;
  auto v = rest(std::move(s), p, text);
  if (counts && tries == std::max(r.tries_max, 1U))
    v.actions.emplace_back(tell_stuck(e.seen, tries, text));
  return v;
}

verdict on_ended(const state& s, const job_ended& e, const rules& r,
                 instant now) {
  if (!s.note.empty() && e.what.intent == s.note)
    return on_note_ended(s, e, r, now);
  if (e.what.phase == job_phase::submitted)
    return on_started(s, e.what, r);
  if (!has_job(s.stage) || e.what.intent != s.intent)
    return {s, {}, {}};
  if (s.stage == stage::repairing)
    return on_repair_ended(s, e, r, now);
  return on_tags_ended(s, e, r, now);
}

/// Is its token seen there still? Then nothing of the job has run.
bool shows_token(const state& s, const facts& seen) {
  return s.token == token_state::sent && !is_older(seen, s.noted)
         && has_tag(seen, own_token(s));
}

/// Where it has moved already the job has begun, and is not called back.
bool has_begun(const state& s, const facts& seen) {
  if (shows_token(s, seen))
    return false; // a person has moved it
  if (s.act == act_kind::reinstall)
    return !s.onto.empty() && seen.instance.primary == s.onto;
  const auto& others = seen.instance.secondaries;
  if (s.act == act_kind::fix_storage) // `from` and `onto` are secondaries
    return std::find(others.begin(), others.end(), s.from) == others.end();
  // Elsewhere somebody else has moved it.
  return seen.instance.primary != s.from
         && (s.onto.empty() || seen.instance.primary == s.onto);
}

/// Why the step of the job is not what would be done now; empty: it is. Nor is
/// it the same step where the instance was started, or stopped, since. Places
/// are not compared: what is not chosen by now would be chosen anew.
std::string otherwise(const state& s, const facts& seen, const rules& r) {
  auto wants = needed(seen);
  auto todo = plan_for(s, seen, r);
  // Mending what is in order by now is no harm, and its own job mends it.
  if (!todo && s.mending)
    return {};
  if (!todo)
    return wants.broken ? wants.why : "its nodes are in service";
  if (todo->act != s.act || todo->from != s.from)
    return wants.why;
  // What a reinstallation does itself marks the instance down, and up.
  auto tells = s.act != act_kind::reinstall || shows_token(s, seen);
  if (tells && !s.ops.empty() && !is_same_deed(todo->ops, s.ops))
    return otherwise_done(*todo);
  return {};
}

std::string switched_off(const rules& r) {
  return r.enabled ? "auto-repair only observes by now"
                   : "auto-repair is switched off by now";
}

/// Why the job under way shall not start if it has not: its need, its tags or
/// its proof are gone, or a node that it leaves or fills is about to go or does
/// not answer. Empty: its ground is as it was. `objection` asks more of a step
/// that is about to leave: also whether there is room.
std::string fallen(const state& s, const facts& seen, const rules& r,
                   instant now) {
  if (s.stage != stage::repairing || s.withdrawn || is_older(seen, s.moved)
      || has_begun(s, seen))
    return {};
  if (!acts(r))
    return switched_off(r);
  if (auto text = otherwise(s, seen, r); !text.empty())
    return text;
  auto x = situation_of(s, seen, {}, r, now);
  auto type = x.wants.type.value_or(s.type);
  if (auto text = unpermitted({s.repair, type, !s.untagged, is_young(s)}, x);
      !text.empty())
    return text;
  // Right after a start proofs were not read again yet; but who answers, or was
  // read as on, needs none.
  auto text = missing_proofs(s.act, seen, r, now);
  if (!text.empty() && (now >= s.due || lives_somewhere(s.act, seen)))
    return text;
  // It would hold the node's lock against the mark of its fence, and fail.
  if (works_at_home(s.act) && seen.primary.troubled)
    return fmt::format("its node {} does not answer just now",
                       seen.primary.name);
  text = seen.leaving;
  return text.empty() ? bad_target(s.act, s.onto, seen) : text;
}

/// Does the job write a pending tag, and nothing else? One of several opcodes
/// would lose a tag between two of them.
bool only_opens(const std::vector<opcode>& ops) {
  const auto* texts = tags_set_by(ops);
  auto tag = texts ? tags::parse(texts->front()) : std::nullopt;
  return ops.size() == 1 && tag && std::holds_alternative<tags::pending>(*tag);
}

/// Why the job that writes the pending tag, or the end of a repair, shall not
/// start if it has not: a suspension, a failure, or another end.
std::string forbidden(const state& s, const facts& seen, const rules& r,
                      instant now) {
  if (!has_job(s.stage) || s.stage == stage::repairing || s.intent.empty()
      || s.tags_withdrawn || is_older(seen, s.moved))
    return {};
  if (only_ends(s.ops)) {
    // Not between its two opcodes, nor for what it waits behind.
    auto begun = has_tag(seen, tags_set_by(s.ops)->front());
    auto free = seen;
    free.foreign_job.reset();
    return begun || !acts(r)
             ? std::string{}
             : ends_otherwise(s, situation_of(s, free, {}, r, now));
  }
  auto x = situation_of(s, seen, {}, r, now);
  if (!only_opens(s.ops))
    return {};
  if (!acts(r))
    return switched_off(r);
  return against_all(x);
}

verdict call_back(state s, const std::string& why) {
  (s.stage == stage::repairing ? s.withdrawn : s.tags_withdrawn) = true;
  auto job = s.job == 0 ? std::string{"the job"} : fmt::format("job {}", s.job);
  s.why
    = fmt::format("calls back {}, {}, if it has not started: {}", job,
                  s.ops.empty() ? fmt::format("which is to {}", verb_of(s.act))
                                : "the " + describe(s.ops),
                  why);
  withdraw order{s.intent};
  return {std::move(s), {std::move(order)}, {}};
}

/// Whether it is to be up again after our own job marked it down. As long as
/// that job has not begun, and when it is over, what marks it is a person. It
/// is to be up while the job runs if it is seen so: whoever marked it, the job
/// has it down yet, or a person has it up again.
void note_wish(state& s, const facts& seen) {
  auto up = seen.instance.admin == admin_state::up;
  auto shuts_down = std::any_of(s.ops.begin(), s.ops.end(), [](const auto& op) {
    return op.kind == op_kind::instance_shutdown;
  });
  if (s.stage != stage::repairing || !shuts_down)
    s.wanted_up = s.wanted_up && (!up || is_older(seen, s.moved));
  else if (s.shut_by == s.token_number && (up || shows_token(s, seen)))
    s.wanted_up = up;
}

verdict on_look(const state& before, const looked& e, const rules& r,
                instant now) {
  auto s = before;
  remember_copy(s, e.seen);
  note_wish(s, e.seen);
  if (e.called && waits_for_permit(s))
    s.due = never;
  if (s.stage == stage::idle && !groundless(e.seen, r, now).empty())
    s.withdrawn = true;
  if (s.stage == stage::idle)
    return look(s, e.seen, e.fresh_id, r, now);
  if (lets_see(s) && now >= s.due) {
    s.due = never;
    return on_armed(s, situation_of(s, e.seen, {}, r, now));
  }
  if (s.stage == stage::repairing && s.halted)
    return resume(s, e.seen, r, now);
  if (auto why = fallen(s, e.seen, r, now); !why.empty()) {
    s.revoked = s.untagged || is_young(s);
    return call_back(s, why);
  }
  if (auto why = forbidden(s, e.seen, r, now); !why.empty())
    return call_back(s, why);
  auto next = s;
  if (s.stage == stage::repairing && now >= s.due)
    next.due = never;
  return {std::move(next), {}, {}};
}

} // namespace

tell tell_stuck(const facts& seen, std::uint32_t tries,
                const std::string& text) {
  return {"A.TAGS_STUCK",
          fmt::format("The tags of instance {} could not be changed in {} "
                      "tries: {}. It is tried again with growing pauses.",
                      seen.instance.name, tries, text)};
}

instant end_of(const job_event& e, instant now) {
  return e.at == never ? now : std::min(e.at, now);
}

std::string text_of_end(const state& s, const job_event& e) {
  auto job = e.id == 0 ? std::string{"the job"} : fmt::format("job {}", e.id);
  auto text = s.ops.empty()
                ? fmt::format("{} to {} ", job, verb_of(s.act))
                : fmt::format("{} for the {} ", job, describe(s.ops));
  if (e.phase == job_phase::refused)
    text += "was refused";
  else if (e.phase == job_phase::overdue)
    text += "is overdue";
  else
    text += fmt::format("ended with status {}", to_string(e.status));
  return e.text.empty() ? text : text + ": " + e.text;
}

verdict look(const state& before, const facts& seen, incident_id fresh,
             const rules& r, instant now) {
  auto s = before;
  if (now >= s.due)
    s.due = never;
  if (!s.note.empty() || is_older(seen, s.moved) || is_older(seen, s.noted))
    return {std::move(s), {}, {}};
  if (!s.written.empty()) {
    auto shown = has_tag(seen, s.written);
    auto text = std::move(s.written);
    s.written.clear();
    if (!shown) {
      // Read too early, or taken away by somebody: the next picture tells.
      s.noted = now;
      s.wants_room = false;
      auto p = s.phase;
      return rest(std::move(s), p,
                  fmt::format("tag {}, just written, is not there; looks once "
                              "more",
                              text));
    }
  }
  auto x = situation_of(s, seen, std::move(fresh), r, now);
  if (s.unsure)
    return settle(std::move(s), x);
  auto v = decide_and_warn(s, x);
  if (v.actions.empty() || !is_stale(seen, r, now))
    return v;
  // Nothing is begun on so old a picture: the next one is asked for.
  s.noted = now;
  return {std::move(s), {}, {}};
}

void take_written(state& s, const std::string& text) {
  s.written = text;
  auto tag = tags::parse(text);
  if (!tag)
    return;
  if (std::holds_alternative<tags::pending>(*tag)) {
    s.phase = phase::pending;
    s.untagged = false;
    return;
  }
  close(s);
  const auto* end = std::get_if<tags::result>(&*tag);
  if (end != nullptr && end->outcome == tags::repair_result::enoperm) {
    s.phase = phase::needs_repair; // its id and type tell when it is outdated
    return;
  }
  auto failed = end != nullptr && end->outcome == tags::repair_result::failure;
  s.phase = failed ? phase::failed : phase::healthy;
  s.repair.clear();
}

namespace {

verdict stepped(const state& s, const event& e, const rules& r, instant now) {
  if (const auto* news = std::get_if<looked>(&e))
    return finish(s, on_look(s, *news, r, now), r);
  if (const auto* answer = std::get_if<permit_answered>(&e)) {
    auto v = on_permit(s, *answer, r, now);
    return s.stage == stage::permitting ? finish(s, std::move(v), r) : v;
  }
  if (const auto* end = std::get_if<job_ended>(&e))
    return finish(s, on_ended(s, *end, r, now), r);
  if (const auto* doubt = std::get_if<doubted>(&e))
    return finish(s, on_doubted(s, *doubt, now), r);
  // The job's own row in the journal says it.
  return on_started(s, std::get<job_started>(e).what, r);
}

} // namespace

verdict step(const state& s, const event& e, const rules& r, instant now) {
  auto v = stepped(s, e, r, now);
  // A failover or migration only exchanges the roles of the copies.
  auto exchanges = s.act == act_kind::failover || s.act == act_kind::migrate;
  if (v.next.moved != s.moved && v.next.moved != never && !exchanges)
    v.next.remade = v.next.moved;
  return v;
}

} // namespace orderly::autorepair
