// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The answer to a permit: go, if everything still speaks for it.

#include "actors/policy/base/intents.hpp"
#include "actors/policy/repair/moves.hpp"
#include "actors/policy/repair/objection.hpp"
#include "actors/policy/repair/token.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

/// What another began comes first.
std::string against_others(const situation& x) {
  return x.tags.queue.empty() && x.tags.strange.empty()
           ? std::string{}
           : "somebody else's pending tag appeared";
}

/// Without a pending tag of its own it goes by the tags that permit.
std::string against_new(const incident_id& repair, tags::repair_type type,
                        const situation& x) {
  if (find(x.tags, repair) != nullptr)
    return "its own pending tag is there: its job was sent before";
  if (auto text = against_others(x); !text.empty())
    return text;
  if (x.may.what != permission::verdict::enabled || x.may.up_to < type)
    return orderly::describe(x.may);
  return {};
}

/// A pending tag is its own permission.
std::string against_pending(const incident_id& repair, tags::repair_type type,
                            const situation& x) {
  const auto* p = find(x.tags, repair);
  if (p == nullptr)
    return fmt::format("the pending tag of repair {} is gone", repair);
  if (type > p->tag.type)
    return fmt::format("its pending tag allows {} only",
                       tags::to_string(p->tag.type));
  return {};
}

/// No permit: if that takes long the tag that was to go with the step is
/// written by itself, for all to see that something is waited for; but not if
/// the step is not wanted any more.
verdict turned_away(state s, const permit_answered& e, const situation& x) {
  auto wanted = objection(s, x).empty();
  s.due = e.retry_at;
  s.turned_away = true;
  s.taken = e.taken;
  s.last_text = fmt::format("no permit to {}: {}", verb_of(s.act), e.why);
  s.from.clear();
  s.onto.clear();
  s.beside.clear();
  auto why = s.last_text;
  if (!s.untagged)
    return rest(std::move(s), phase::pending, std::move(why));
  auto alone = x.tags.queue.empty() && x.tags.strange.empty()
               && x.tags.failures.empty() && is_permitted(s, x);
  auto due = std::exchange(s.due, never);
  auto long_since = x.now - s.started >= tag_patience;
  if (alone && long_since && wanted)
    return send_pending(std::move(s), x, std::move(why));
  s.due = due;
  s.untagged = false;
  return rest(std::move(s), phase::needs_repair, std::move(why));
}

verdict not_now(state s, std::string against) {
  auto p = s.untagged ? phase::needs_repair : phase::pending;
  auto why = fmt::format("does not {} now: {}", verb_of(s.act), against);
  disarm(s);
  auto v = rest(std::move(s), p, std::move(why));
  v.actions.emplace_back(give_back_permit{true});
  return v;
}

/// The token is written first, and the pending tag with it. The permit is held
/// meanwhile: what is less urgent would take the places.
verdict arm(state s, const situation& x) {
  auto old = leftovers(x);
  std::vector<std::string> texts;
  if (s.untagged) {
    s.young = s.repair;
    texts.push_back(pending_text(s));
    for (const auto& end : x.tags.enoperms)
      old.push_back(end.text);
  }
  const auto* p = s.untagged ? nullptr : find(x.tags, s.repair);
  if (p != nullptr && is_outdated(s, *p)) {
    // What the job before has removed an older picture still shows.
    if (is_older(x.seen, s.noted))
      old.clear();
    old.push_back(p->text);
    texts.push_back(pending_text(s));
  }
  texts.push_back(draw_token(s));
  // Also if it should be there: the step fails without it.
  if (is_young(s))
    texts.push_back(unbegun_text(s.repair));
  auto base = s.repair;
  s.turned_away = s.taken = false;
  auto v = send_tags(std::move(s), x, base, std::move(texts), std::move(old),
                     x.wants.why);
  v.next.stage = stage::arming;
  // Sent once more, and read late, it would set a token anew that was removed.
  std::get<submit>(v.actions.back()).once = true;
  return v;
}

/// What the job of the step does before its act: it spends the token, or brings
/// the pending tag up to date.
std::vector<opcode> before_act(state& s, const situation& x) {
  if (x.limits.tokens) {
    s.token = token_state::sent;
    if (is_token(s.written))
      s.written.clear(); // it will not be seen
    return {spend_token(s, x.seen.instance.name, unbegun_mark(s, x))};
  }
  auto ops = prelude(s, x);
  if (tags_apart(x.limits) && ops.empty())
    s.note_text = find(x.tags, s.repair)->text;
  if (x.limits.job_delay > millis{0}) {
    opcode pause;
    pause.kind = op_kind::wait;
    pause.span = x.limits.job_delay;
    ops.push_back(std::move(pause));
  }
  return ops;
}

verdict go(state s, const situation& x) {
  auto todo = *plan_for(s, x.seen, x.limits);
  ++s.step;
  s.intent = act_intent(intent_base(s.repair, x), s.step, s.act);
  s.stage = stage::repairing;
  s.phase = phase::pending;
  s.job = 0;
  s.turned_away = false;
  s.taken = false;
  s.withdrawn = false;
  s.revoked = false;
  s.halted = false;
  s.mending = todo.mends;
  s.half_told = false;
  if (todo.ops.front().kind == op_kind::instance_shutdown) {
    s.wanted_up = true;
    s.shut_by = x.limits.tokens ? s.token_number : 0;
  }
  s.ops = before_act(s, x);
  s.ops.insert(s.ops.end(), todo.ops.begin(), todo.ops.end());
  s.why = fmt::format("{}: {}", describe(s.ops), x.wants.why);
  auto once = x.limits.tokens || is_risky(s.act);
  submit order{s.intent, s.ops, x.wants.why, x.seen.read_at, once};
  return {std::move(s), {std::move(order)}, {}};
}

} // namespace

std::string against_all(const situation& x) {
  if (!x.tags.failures.empty())
    return "a failure tag appeared";
  return x.may.what == permission::verdict::suspended ? orderly::describe(x.may)
                                                      : std::string{};
}

void disarm(state& s) {
  s.from.clear();
  s.onto.clear();
  s.beside.clear();
  s.untagged = false;
}

bool is_stale(const facts& seen, const rules& r, instant now) {
  return r.picture_max_age > millis{0}
         && now - seen.read_at > r.picture_max_age;
}

std::string against_tags(const state& s, const situation& x) {
  // Neither a suspension nor a failure is a reason to let a step begin.
  if (only_removes_tokens(s.ops))
    return held_up(s, x, "remove its token");
  // Nor does the end of a repair need a permission, or what only tidies up.
  auto ends = only_ends(s.ops) || tags_set_by(s.ops) == nullptr;
  auto stop = x.may.what == permission::verdict::suspended
                ? orderly::describe(x.may)
              : ends ? held_up(s, x, "end the repair")
                     : held(s, x, "set tags");
  // Success uses up what a person asked for once.
  if (stop.empty() && ends_well(s.ops))
    stop = home_unseen(x.seen);
  if (stop.empty())
    stop = ends_otherwise(s, x);
  // A pending tag is its own permission: it needs one to be written.
  auto opens = s.stage == stage::tagging && s.phase == phase::needs_repair;
  if (stop.empty() && opens && !is_permitted(s, x))
    stop = orderly::describe(x.may);
  // Another daemon's came first. Our own may be there already, by a lost
  // answer.
  if (stop.empty() && opens && find(x.tags, s.repair) == nullptr)
    stop = against_others(x);
  if (stop.empty() && opens)
    stop = against_all(x);
  return stop;
}

std::string second_thoughts(const state& s, const intent_id& intent,
                            const facts& seen, const rules& r, instant now) {
  if (intent == s.note && s.withdrawn)
    return "its job was called back";
  if (intent == s.note)
    return {}; // it only notes what is under way
  auto sends = s.stage == stage::tagging || s.stage == stage::arming
               || s.stage == stage::repairing || s.stage == stage::noting;
  if (!sends || intent != s.intent)
    return "its repair goes on without it";
  auto x = situation_of(s, seen, {}, r, now);
  if (s.stage == stage::arming)
    return objection(s, x);
  if (s.stage != stage::repairing)
    return against_tags(s, x);
  auto text = objection(s, x);
  // Before it was sent nobody but we could call it back.
  return text.empty() && s.withdrawn ? "called back while it was written down"
                                     : text;
}

std::string unpermitted(const waiting_step& job, const situation& x) {
  if (auto text = against_all(x); !text.empty())
    return text;
  if (job.young
      && (x.may.what != permission::verdict::enabled || x.may.up_to < job.type))
    return orderly::describe(x.may);
  // Its own first opcode may have set the tag by now.
  if (job.tagged || find(x.tags, job.repair) != nullptr)
    return against_pending(job.repair, job.type, x);
  return against_new(job.repair, job.type, x);
}

hindrance hindrance_of(const state& s, const situation& x) {
  if (is_older(x.seen, s.moved) || is_stale(x.seen, x.limits, x.now))
    return {"the picture of the cluster is too old"};
  if (auto text = against_all(x); !text.empty())
    return {std::move(text)};
  auto todo = plan_for(s, x.seen, x.limits);
  // What was put together for a stopped instance is nothing for one that runs.
  auto deed = s.stage != stage::repairing || s.ops.empty() || !todo
              || is_same_deed(s.ops, todo->ops);
  auto same = todo && todo->act == s.act && todo->from == s.from
              && todo->onto == s.onto && todo->beside == s.beside && deed;
  auto type = todo ? todo->type : s.type;
  if (auto text = s.untagged ? against_new(s.repair, type, x)
                             : against_pending(s.repair, type, x);
      !text.empty())
    return {std::move(text)};
  if (!same && x.wants.why.empty())
    return {"nothing is wrong with it any more"};
  if (!deed && todo->act == s.act)
    return {otherwise_done(*todo)};
  if (!same && todo && todo->act == s.act && todo->from == s.from)
    return {
      "its place is to be chosen anew: what was read of the nodes is old"};
  if (!same)
    return {"something else is needed by now: " + x.wants.why};
  if (auto stop = held(s, x, verb_of(s.act)); !stop.empty())
    return {std::move(stop)};
  auto hurdle = obstacle_to(*todo, x.seen, x.limits, x.now);
  if (hurdle.text.empty())
    return {x.seen.leaving};
  auto proof = hurdle.kind == obstacle_kind::proof;
  return {std::move(hurdle.text), proof};
}

std::string objection(const state& s, const situation& x) {
  return hindrance_of(s, x).text;
}

verdict on_armed(state s, const situation& x) {
  if (auto against = objection(s, x); !against.empty())
    return not_now(std::move(s), std::move(against));
  return go(std::move(s), x);
}

verdict on_permit(const state& before, const permit_answered& e, const rules& r,
                  instant now) {
  auto s = before;
  if (s.stage != stage::permitting) {
    if (e.granted && s.stage != stage::repairing && s.stage != stage::arming
        && !s.unsure)
      return {std::move(s), {give_back_permit{true}}, {}};
    return {std::move(s), {}, {}};
  }
  auto x = situation_of(s, e.seen, {}, r, now);
  if (!e.granted)
    return turned_away(std::move(s), e, x);
  if (auto against = objection(s, x); !against.empty())
    return not_now(std::move(s), std::move(against));
  if (!r.tokens || has_token(s, x))
    return go(std::move(s), x);
  return arm(std::move(s), x);
}

} // namespace orderly::autorepair
