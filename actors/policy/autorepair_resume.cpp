// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// After a restart: goes on with what was under way, under the same intent.

#include "actors/policy/autorepair_moves.hpp"

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

ask_permit question_of(const state& s) {
  ask_permit question{s.act, {s.from}, {}};
  if (!s.onto.empty())
    question.joins.push_back(s.onto);
  return question;
}

verdict send_again(state s, bool reserve) {
  verdict v;
  if (reserve)
    v.actions.emplace_back(question_of(s));
  s.due = never;
  s.why = fmt::format("goes on with: {}",
                      s.ops.empty() ? s.intent : describe(s.ops.front()));
  v.actions.emplace_back(submit{s.intent, s.ops, s.why});
  v.next = std::move(s);
  return v;
}

/// A repair job of which it is not known whether it was sent is sent again
/// only if everything still speaks for it; else it is asked for, by an order
/// without opcodes.
verdict resume_repair(state s, const situation& x) {
  if (s.job != 0)
    return send_again(std::move(s), true);
  auto todo = plan_for(x.seen);
  auto same = !s.ops.empty() && todo && todo->act == s.act
              && todo->from == s.from && todo->onto == s.onto
              && find(x.tags, s.repair) != nullptr;
  s.due = never;
  if (!same) {
    s.ops.clear();
    s.why = fmt::format("looks whether the job to {} was sent before the "
                        "restart",
                        verb_of(s.act));
    verdict v;
    v.actions.emplace_back(question_of(s));
    v.actions.emplace_back(submit{s.intent, {}, s.why});
    v.next = std::move(s);
    return v;
  }
  auto against = objection(s, x);
  if (against.empty())
    return send_again(std::move(s), true);
  // Right after a start the proof may just not have been read yet.
  s.due = x.now + seconds{5};
  s.why = fmt::format("does not go on to {} after the restart: {}",
                      verb_of(s.act), against);
  return {std::move(s), {}, {}};
}

verdict resume_tags(state s, const situation& x) {
  auto stop = x.may.what == permission::verdict::suspended
                ? describe(x.may)
                : held(s, x, "set tags");
  if (s.job != 0 || stop.empty())
    return send_again(std::move(s), false);
  s.intent.clear();
  s.ops.clear();
  s.noted = x.now;
  auto p = s.phase;
  return rest(std::move(s), p, std::move(stop));
}

verdict resume_any(const state& s, const facts& seen, const rules& r,
                   instant now) {
  auto x = situation_of(s, seen, {}, r, now);
  switch (s.stage) {
  case stage::idle:
    return {s, {}, {}};
  case stage::tagging:
  case stage::noting:
    return resume_tags(s, x);
  case stage::repairing:
    return resume_repair(s, x);
  case stage::permitting:
    break;
  }
  if (r.enabled)
    return {s, {question_of(s)}, {}};
  auto next = s;
  next.from.clear();
  next.onto.clear();
  auto stop = held(s, x, verb_of(s.act));
  return rest(std::move(next), phase::pending, std::move(stop));
}

} // namespace

verdict resume(const state& s, const facts& seen, const rules& r, instant now) {
  return finish(s, resume_any(s, seen, r, now));
}

} // namespace orderly::autorepair
