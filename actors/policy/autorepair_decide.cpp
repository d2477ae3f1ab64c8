// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What to do with an instance while nothing of ours is under way: the table
// of spec repair A.7.

#include "actors/policy/autorepair_moves.hpp"
#include "actors/policy/backoff.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

const std::string no_fresh_id = "waits for the next look to start a repair";

/// Makes sure that `s` has an id for a repair that is about to get a tag: a
/// new one, or that of the last attempt whose tag was not written.
bool begin(state& s, const situation& x) {
  auto again
    = s.started != never && !s.repair.empty() && s.type == *x.wants.type;
  if (again)
    return true;
  if (x.fresh.empty())
    return false;
  close(s);
  s.repair = x.fresh;
  s.type = *x.wants.type;
  s.started = x.now;
  s.step = 0;
  return true;
}

std::vector<std::string> with_enoperms(std::vector<std::string> texts,
                                       const situation& x) {
  for (const auto& old : x.tags.enoperms)
    texts.push_back(old.text);
  return texts;
}

// --- without a pending tag ---------------------------------------------------

verdict calm(const state& s, const situation& x) {
  auto old = leftovers(x);
  auto suspended = x.may.what == permission::verdict::suspended;
  if (old.empty() || suspended || x.fresh.empty()) {
    verdict v;
    if (s.phase != phase::healthy)
      v.why = fmt::format("{} is in order again", x.seen.instance.name);
    return v;
  }
  auto next = s;
  next.repair.clear();
  next.started = never;
  auto stop = held(next, x, "remove tags that are over");
  if (!stop.empty())
    return rest(std::move(next), phase::healthy, std::move(stop));
  next.phase = phase::healthy;
  return send_tags(std::move(next), x, x.fresh, {}, std::move(old),
                   "removes tags that are over");
}

verdict too_weak(state s, const situation& x) {
  auto needs = *x.wants.type;
  auto why = fmt::format("{}; needs {}, but is {}", x.wants.why,
                         tags::to_string(needs), describe(x.may));
  for (const auto& old : x.tags.enoperms) {
    auto ours = old.tag.id == s.repair && s.type == needs;
    if (old.tag.type == needs || ours)
      return rest(std::move(s), phase::needs_repair, std::move(why));
  }
  auto stop = held(s, x, "write that the permission is too weak");
  if (stop.empty() && !begin(s, x))
    stop = no_fresh_id;
  if (!stop.empty())
    return rest(std::move(s), phase::needs_repair, why + "; " + stop);
  tags::result end{
    needs, s.repair, s.started, tags::repair_result::enoperm, {}};
  s.phase = phase::needs_repair;
  auto base = s.repair;
  return send_tags(std::move(s), x, base, {tags::format(end)},
                   with_enoperms(leftovers(x), x), std::move(why));
}

verdict start(state s, const situation& x, const plan& p) {
  auto would = fmt::format("{}: {}", verb_of(p.act), x.wants.why);
  if (auto stop = held(s, x, would); !stop.empty()) {
    auto why = x.limits.enabled ? x.wants.why + "; " + stop : stop;
    return rest(std::move(s), phase::needs_repair, std::move(why));
  }
  auto hurdle = obstacle_to(p, x.seen, x.limits, x.now);
  if (hurdle.kind == obstacle_kind::proof)
    return rest(std::move(s), phase::needs_repair,
                x.wants.why + "; " + hurdle.text);
  if (!begin(s, x))
    return rest(std::move(s), phase::needs_repair,
                x.wants.why + "; " + no_fresh_id);
  s.phase = phase::needs_repair;
  auto text = tags::format(tags::pending{s.type, s.repair, s.started, {}});
  auto why = fmt::format("{}; is {}: will {}", x.wants.why, describe(x.may),
                         verb_of(p.act));
  auto base = s.repair;
  auto v = send_tags(std::move(s), x, base, {text},
                     with_enoperms(leftovers(x), x), std::move(why));
  v.next.stage = stage::tagging;
  return v;
}

verdict without_pending(state s, const situation& x) {
  if (!x.wants.broken)
    return calm(s, x);
  if (!x.wants.type)
    return rest(std::move(s), phase::needs_repair, x.wants.why);
  if (x.may.what == permission::verdict::not_enabled)
    return rest(std::move(s), phase::needs_repair,
                fmt::format("{}; needs {}, but is {}: {}", x.wants.why,
                            tags::to_string(*x.wants.type), describe(x.may),
                            tag_to_add(*x.wants.type, x.seen)));
  if (x.may.up_to < *x.wants.type)
    return too_weak(std::move(s), x);
  if (auto p = plan_for(x.seen))
    return start(std::move(s), x, *p);
  return rest(std::move(s), phase::needs_repair,
              fmt::format("{}; a reinstall is allowed, but not done by this "
                          "version: reinstall it by hand or bring a node back",
                          x.wants.why));
}

// --- with a pending tag ------------------------------------------------------

/// Takes over the repair of a tag; what became of its jobs is not known.
void adopt(state& s, const tags::pending& tag) {
  if (s.repair != tag.id) {
    close(s);
    s.repair = tag.id;
    s.last_failed = !tag.jobs.empty();
  }
  s.type = tag.type;
  s.started = tag.at;
  s.jobs = joined(std::move(s.jobs), tag.jobs);
  s.phase = phase::pending;
}

verdict all_done(state s, const situation& x) {
  auto stop = held(s, x, "write that the repair ended well");
  if (!stop.empty())
    return rest(std::move(s), phase::pending, "in order again; " + stop);
  std::vector<std::string> set;
  auto del = leftovers(x);
  for (const auto& p : x.tags.queue) {
    tags::result end{p.tag.type, p.tag.id, x.now, tags::repair_result::success,
                     p.tag.id == s.repair ? s.jobs : p.tag.jobs};
    set.push_back(tags::format(end));
    del.push_back(p.text);
  }
  for (const auto& old : x.tags.successes)
    if (to_unix(old.tag.at) < to_unix(x.now))
      del.push_back(old.text);
  auto why = fmt::format("{} is in order again: repair {} ended well",
                         x.seen.instance.name, s.repair);
  auto base = s.repair;
  return send_tags(std::move(s), x, base, std::move(set), std::move(del),
                   std::move(why));
}

verdict too_risky(state s, const situation& x, const standing_pending& p) {
  auto needs = *x.wants.type;
  auto why = fmt::format("{}; needs {}, but repair {} may not go beyond {}",
                         x.wants.why, tags::to_string(needs), s.repair,
                         tags::to_string(p.tag.type));
  if (auto stop = held(s, x, "end the repair"); !stop.empty())
    return rest(std::move(s), phase::pending, why + "; " + stop);
  tags::result end{p.tag.type, s.repair, x.now, tags::repair_result::enoperm,
                   s.jobs};
  auto del = with_enoperms(leftovers(x), x);
  del.push_back(p.text);
  s.type = needs; // what the permission was too weak for
  auto base = s.repair;
  return send_tags(std::move(s), x, base, {tags::format(end)}, std::move(del),
                   std::move(why));
}

verdict ask(state s, const plan& p, const std::string& why) {
  // Asked again after a refusal is no news.
  if (s.last_text.empty() || s.why != s.last_text)
    s.why = fmt::format("asks for a permit to {}: {}", verb_of(p.act), why);
  if (s.act != p.act)
    s.tries = 0;
  s.stage = stage::permitting;
  s.act = p.act;
  s.from = p.from;
  s.onto = p.onto;
  s.due = never;
  s.intent.clear();
  s.ops.clear();
  ask_permit question{p.act, {p.from}, {}};
  if (!p.onto.empty())
    question.joins.push_back(p.onto);
  return {std::move(s), {std::move(question)}, {}};
}

/// The last job ended well, yet the same step from the same node is needed.
verdict without_effect(state s, const situation& x) {
  auto why = fmt::format("the last job to {} ended well, yet {}",
                         verb_of(s.act), x.wants.why);
  if (!s.last_failed) {
    // The picture may have been read too early.
    s.last_failed = true;
    s.moved = x.now;
    return rest(std::move(s), phase::pending, why + "; looks once more");
  }
  ++s.tries;
  if (s.act == act_kind::failover || s.tries >= x.limits.tries_max)
    return fail(std::move(s), x, std::move(why));
  s.from.clear();
  s.onto.clear();
  s.due = x.now + backoff(x.limits.retry_base, x.limits.retry_max, s.tries);
  s.last_text = why;
  return rest(std::move(s), phase::pending, std::move(why));
}

/// The next step that the tag allows.
verdict pursue(state s, const situation& x, const standing_pending& p,
               const plan& todo) {
  auto would = fmt::format("{}: {}", verb_of(todo.act), x.wants.why);
  if (auto stop = held(s, x, would); !stop.empty())
    return rest(std::move(s), phase::pending, std::move(stop));
  auto unknown = s.last_failed && s.act == act_kind::record;
  if (unknown && todo.act == act_kind::failover)
    return fail(std::move(s), x,
                fmt::format("{} after jobs whose outcome is not known, and a "
                            "failover is not tried twice",
                            x.wants.why));
  if (!s.from.empty()) {
    if (todo.act == s.act && todo.from == s.from)
      return without_effect(std::move(s), x);
    s.from.clear();
    s.onto.clear();
    s.tries = 0;
    s.last_failed = false;
  }
  auto text = tags::format(tags::pending{s.type, s.repair, s.started, s.jobs});
  auto noted = tags::parse(text);
  if (!noted || std::get<tags::pending>(*noted) != p.tag) {
    auto del = leftovers(x);
    del.push_back(p.text);
    auto base = s.repair;
    return send_tags(std::move(s), x, base, {text}, std::move(del),
                     fmt::format("{}; notes the jobs so far", x.wants.why));
  }
  auto hurdle = obstacle_to(todo, x.seen, x.limits, x.now);
  if (hurdle.kind != obstacle_kind::none)
    return rest(std::move(s), phase::pending, x.wants.why + "; " + hurdle.text);
  return ask(std::move(s), todo, x.wants.why);
}

verdict with_pending(state s, const situation& x) {
  const auto* p = find(x.tags, s.repair);
  if (p == nullptr)
    p = &x.tags.queue.front();
  adopt(s, p->tag);
  if (!x.wants.broken)
    return all_done(std::move(s), x);
  if (!x.wants.type)
    return rest(std::move(s), phase::pending, x.wants.why);
  if (*x.wants.type > p->tag.type)
    return too_risky(std::move(s), x, *p);
  if (auto todo = plan_for(x.seen))
    return pursue(std::move(s), x, *p, *todo);
  return rest(std::move(s), phase::pending,
              fmt::format("{}; a reinstall is asked for, but not done by this "
                          "version: reinstall it by hand or bring a node back",
                          x.wants.why));
}

// --- in any case -------------------------------------------------------------

verdict suspended(state s, const situation& x) {
  auto waiting = !x.tags.queue.empty();
  if (!waiting && !x.wants.broken)
    return calm(s, x);
  auto why = describe(x.may);
  if (x.wants.broken)
    why = x.wants.why + "; " + why;
  return rest(std::move(s), waiting ? phase::pending : phase::needs_repair,
              std::move(why));
}

/// If there is nothing better to do: tags that are over go.
verdict tidy(verdict v, const situation& x) {
  auto idle = v.actions.empty() && v.next.stage == stage::idle
              && (v.next.phase == phase::needs_repair
                  || v.next.phase == phase::pending);
  auto old = leftovers(x);
  if (!idle || old.empty() || x.fresh.empty() || !held(v.next, x, "").empty())
    return v;
  auto why = v.next.why + "; removes tags that are over";
  return send_tags(std::move(v.next), x, x.fresh, {}, std::move(old),
                   std::move(why));
}

} // namespace

verdict decide(const state& before, const situation& x) {
  auto s = before;
  if (x.now >= s.due)
    s.due = never;
  if (!x.tags.failures.empty()) {
    close(s);
    s.repair.clear();
    return rest(std::move(s), phase::failed,
                fmt::format("failed before: untouched as long as tag {} is "
                            "there",
                            x.tags.failures.front().text));
  }
  if (s.phase == phase::failed && !s.repair.empty()) {
    auto why = s.last_text;
    return fail(std::move(s), x, std::move(why));
  }
  if (s.phase == phase::pending && find(x.tags, s.repair) == nullptr) {
    // Somebody took our tag away, and with it the repair.
    close(s);
    s.repair.clear();
  }
  if (x.may.what == permission::verdict::suspended)
    return suspended(std::move(s), x);
  if (x.tags.queue.empty())
    return tidy(without_pending(std::move(s), x), x);
  return tidy(with_pending(std::move(s), x), x);
}

} // namespace orderly::autorepair
