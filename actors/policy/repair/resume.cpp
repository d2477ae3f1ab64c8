// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// After a restart: goes on with what was under way, under the same intent.

#include "actors/policy/repair/moves.hpp"
#include "actors/policy/repair/objection.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

verdict send_again(state s, const situation& x, bool reserve) {
  verdict v;
  if (reserve)
    v.actions.emplace_back(question_of(s));
  // What it was called back for is over.
  s.halted = s.withdrawn = false;
  s.due = never;
  s.why = fmt::format("goes on with: {}",
                      s.ops.empty() ? s.intent : describe(s.ops));
  v.actions.emplace_back(
    submit{s.intent, s.ops, s.why, x.seen.read_at,
           reserve && (is_risky(s.act) || s.token == token_state::sent),
           s.stage == stage::repairing});
  v.next = std::move(s);
  return v;
}

/// The job is in the queue, or was: never to be sent once more, whatever has
/// been forgotten.
verdict follow(state s, instant now) {
  // Right after a start no proof was read yet: that alone is no reason to call
  // it back.
  s.due = now + proofs_reread;
  s.halted = false;
  s.why = fmt::format("goes on with job {}: {}", s.job,
                      s.ops.empty() ? s.intent : describe(s.ops));
  verdict v;
  v.actions.emplace_back(question_of(s));
  v.actions.emplace_back(submit{s.intent, {}, s.why});
  if (s.withdrawn)
    v.actions.emplace_back(withdraw{s.intent});
  v.next = std::move(s);
  return v;
}

/// Asks what became of the job, by an order without opcodes.
verdict ask_about(state s, instant now) {
  s.ops.clear();
  s.halted = false;
  s.due = now + proofs_reread;
  s.why = fmt::format("looks whether the job to {} was sent before the restart",
                      verb_of(s.act));
  verdict v;
  v.actions.emplace_back(question_of(s));
  v.actions.emplace_back(submit{s.intent, {}, s.why});
  v.next = std::move(s);
  return v;
}

/// A repair job of which it is not known whether it was sent is sent again
/// only if everything still speaks for it; else it is asked for.
verdict resume_repair(state s, const situation& x) {
  if (s.job != 0)
    return follow(std::move(s), x.now);
  if (s.ops.empty())
    return ask_about(std::move(s), x.now);
  auto against = hindrance_of(s, x);
  if (against.text.empty())
    return send_again(std::move(s), x, true);
  if (!against.lacks_proof)
    return ask_about(std::move(s), x.now);
  // Right after a start the proof may just not have been read yet.
  auto first = !std::exchange(s.halted, true);
  s.due = never;
  s.why = fmt::format("does not go on to {} after the restart: {}",
                      verb_of(s.act), against.text);
  verdict v;
  // Its answer may have been lost: it is asked what became of it.
  if (first)
    v.actions.emplace_back(submit{s.intent, {}, s.why});
  v.next = std::move(s);
  return v;
}

/// Canceled between its opcodes a job that first removes what it then sets
/// anew would leave neither.
bool loses_no_tag(const std::vector<opcode>& ops) {
  return ops.size() == 1
         || (!ops.empty() && ops.front().kind == op_kind::tags_set);
}

verdict resume_tags(state s, const situation& x) {
  auto stop = against_tags(s, x);
  if (s.job != 0 || stop.empty()) {
    auto reserve = removes_token(s);
    return send_again(std::move(s), x, reserve);
  }
  auto old = s.intent;
  auto whole = loses_no_tag(s.ops);
  s.intent.clear();
  s.ops.clear();
  s.noted = x.now;
  auto p = s.phase;
  auto v = rest(std::move(s), p, std::move(stop));
  if (whole) // it may be on its way
    v.actions.emplace_back(withdraw{std::move(old)});
  if (v.next.unsure) // it may begin yet
    v.actions.emplace_back(question_of(v.next));
  return v;
}

verdict resume_any(const state& s, const facts& seen, const rules& r,
                   instant now) {
  auto x = situation_of(s, seen, {}, r, now);
  switch (s.stage) {
  case stage::idle:
    if (s.unsure) // it may begin yet
      return {s, {question_of(s)}, {}};
    return {s, {}, {}};
  case stage::tagging:
  case stage::noting:
    return resume_tags(s, x);
  case stage::arming: {
    // Its permit is gone, and whether its token stands is not known: it asks
    // for a permit again, and takes another one.
    auto next = s;
    disarm(next);
    auto old = s.intent;
    next.intent.clear();
    next.ops.clear();
    next.job = 0;
    next.token = token_state::none;
    next.due = never;
    next.noted = x.now;
    auto p = next.phase;
    auto v
      = rest(std::move(next), p, "was about to take a token at the restart");
    if (loses_no_tag(s.ops)) // only in the way
      v.actions.emplace_back(withdraw{std::move(old)});
    return v;
  }
  case stage::repairing:
    return resume_repair(s, x);
  case stage::permitting:
    break;
  }
  if (r.enabled && !r.observe)
    return {s, {question_of(s)}, {}};
  auto next = s;
  next.from.clear();
  next.onto.clear();
  next.untagged = false;
  auto stop = held(s, x, verb_of(s.act));
  auto p = s.phase;
  return rest(std::move(next), p, std::move(stop));
}

} // namespace

verdict on_doubted(const state& s, const doubted& e, instant now) {
  if (s.stage != stage::repairing || e.intent != s.intent)
    return {s, {}, {}};
  auto v = ask_about(s, now);
  v.next.why += ", and sends none now: " + e.why;
  return v;
}

verdict resume(const state& s, const facts& seen, const rules& r, instant now) {
  auto v = resume_any(s, seen, r, now);
  if (!v.next.note.empty())
    v.actions.emplace_back(submit{v.next.note, {}, "asks about its note"});
  return finish(s, std::move(v), r);
}

} // namespace orderly::autorepair
