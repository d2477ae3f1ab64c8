// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What to do with an instance while nothing of ours is under way: the table
// of spec repair A.7.

#include "actors/policy/repair/moves.hpp"
#include "actors/policy/repair/tag_oddities.hpp"
#include "actors/policy/repair/token.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

const std::string no_fresh_id = "waits for the next look to start a repair";

/// Makes sure that `s` has an id for a repair that is about to get a tag: a
/// new one, or that of the last attempt whose tag was not written.
bool begin(state& s, const situation& x) {
  if (s.started != never && !s.repair.empty() && s.type == *x.wants.type)
    return true; // once more
  if (x.fresh.empty())
    return false;
  auto down = s.wanted_up && wants_reinstall(x);
  close(s);
  s.wanted_up = down;
  s.repair = x.fresh;
  s.type = *x.wants.type;
  s.started = x.now;
  s.step = 0;
  return true;
}

verdict ask(state s, const plan& p, const std::string& why) {
  // Asked again after a refusal is no news.
  s.why = !s.last_text.empty() && s.told == s.last_text
            ? s.last_text
            : fmt::format("asks for a permit to {}: {}", verb_of(p.act), why);
  turn_to(s, p.act);
  s.stage = stage::permitting;
  s.from = p.from;
  s.onto = p.onto;
  s.beside = p.beside;
  s.due = never;
  s.intent.clear();
  s.ops.clear();
  auto question = question_of(s);
  return {std::move(s), {std::move(question)}, {}};
}

// --- without a pending tag ---------------------------------------------------

verdict calm(const state& s, const situation& x) {
  auto old = leftovers(x);
  if (old.empty() || x.fresh.empty()) {
    verdict v;
    keep_copy(v.next, s, x.seen);
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
                         tags::to_string(needs), orderly::describe(x.may));
  for (const auto& old : x.tags.enoperms) {
    auto ours = old.tag.id == s.repair && s.type == needs;
    // That of a repair that was begun names what it was allowed.
    auto of_repair = !old.tag.jobs.empty() || old.tag.type <= x.may.up_to;
    if (old.tag.type == needs || ours || of_repair)
      return rest(std::move(s), phase::needs_repair, std::move(why));
  }
  auto stop = held_up(s, x, "write that the permission is too weak");
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

/// Why a step cannot be taken yet; nodes are asked for room if need be.
verdict hindered(state s, phase p, const situation& x, obstacle hurdle) {
  auto asks = hurdle.kind == obstacle_kind::ask_room;
  auto full = hurdle.kind == obstacle_kind::room;
  s.wants_room = asks || (full && x.seen.room && x.asked_room);
  if (full && std::exchange(s.turned_away, false))
    s.last_text.clear(); // it is no permit that it waits for
  auto why = asks && x.asked_room ? s.why : x.wants.why + "; " + hurdle.text;
  return rest(std::move(s), p, std::move(why));
}

verdict start(state s, const situation& x, const plan& p) {
  if (auto text = unknown_end(s, x); !text.empty())
    return rest(std::move(s), phase::needs_repair, std::move(text));
  auto would = fmt::format("{}: {}", verb_of(p.act), x.wants.why);
  if (auto stop = held(s, x, would); !stop.empty()) {
    auto why = acts(x.limits) ? x.wants.why + "; " + stop : stop;
    return rest(std::move(s), phase::needs_repair, std::move(why));
  }
  auto hurdle = obstacle_to(p, x.seen, x.limits, x.now);
  if (hurdle.kind == obstacle_kind::ask_room) {
    auto stays
      = s.phase == phase::healthy ? phase::healthy : phase::needs_repair;
    return hindered(std::move(s), stays, x, std::move(hurdle));
  }
  if (hurdle.kind == obstacle_kind::proof)
    return hindered(std::move(s), phase::needs_repair, x, std::move(hurdle));
  if (!begin(s, x))
    return rest(std::move(s), phase::needs_repair,
                x.wants.why + "; " + no_fresh_id);
  s.phase = phase::needs_repair;
  auto why = fmt::format("{}; is {}", x.wants.why, orderly::describe(x.may));
  // If the step can follow at once the tag goes with it, in one job, or with
  // its token.
  if (hurdle.kind == obstacle_kind::none
      && (!tags_apart(x.limits) || x.limits.tokens)) {
    s.untagged = true;
    return ask(std::move(s), p, why);
  }
  return send_pending(std::move(s), x, why + ": will " + verb_of(p.act));
}

verdict without_pending(state s, const situation& x) {
  if (!x.wants.broken)
    return calm(s, x);
  if (!x.wants.type)
    return rest(std::move(s), phase::needs_repair, x.wants.why);
  if (x.may.what == permission::verdict::not_enabled)
    return rest(std::move(s), phase::needs_repair,
                fmt::format("{}; needs {}, but is {}: {}", x.wants.why,
                            tags::to_string(*x.wants.type),
                            orderly::describe(x.may),
                            leave_for(*x.wants.type, x.seen)));
  if (x.may.up_to < *x.wants.type)
    return too_weak(std::move(s), x);
  return start(s, x, *plan_for(s, x.seen, x.limits));
}

// --- with a pending tag ------------------------------------------------------

/// That of the repair under way, else the first in the queue.
const standing_pending* current(const state& s, const situation& x) {
  const auto* own = find(x.tags, s.repair);
  return own == nullptr && !x.tags.queue.empty() ? &x.tags.queue.front() : own;
}

/// The next step that the tag allows.
verdict pursue(state s, const situation& x, const standing_pending& p,
               const plan& todo) {
  auto failed = spent(s, x, todo);
  auto would = failed.empty()
                 ? fmt::format("{}: {}", verb_of(todo.act), x.wants.why)
                 : "write that the repair failed: " + failed;
  if (auto stop = held(s, x, would); !stop.empty())
    return rest(std::move(s), phase::pending, std::move(stop));
  if (!failed.empty())
    return fail(std::move(s), x, std::move(failed));
  if (!s.from.empty()) {
    auto once_more = todo.act == s.act && todo.from == s.from;
    if (once_more && !is_long_ago(s, x))
      return without_effect(std::move(s), x);
    auto tries = once_more ? s.tries + 1 : 0;
    step_is_done(s);
    s.tries = tries;
  }
  auto hurdle = obstacle_to(todo, x.seen, x.limits, x.now);
  // A tag of its own if the step must wait; else it goes with the step. A
  // question to the nodes is no wait.
  auto waits
    = hurdle.kind == obstacle_kind::proof || hurdle.kind == obstacle_kind::room;
  auto apart = waits || (tags_apart(x.limits) && !x.limits.tokens);
  if (apart && is_outdated(s, p)) {
    auto del = leftovers(x);
    del.push_back(p.text);
    auto base = s.repair;
    auto text = pending_text(s);
    return send_tags(std::move(s), x, base, {text}, std::move(del),
                     fmt::format("{}; notes the jobs so far", x.wants.why));
  }
  if (hurdle.kind != obstacle_kind::none)
    return hindered(std::move(s), phase::pending, x, std::move(hurdle));
  return ask(std::move(s), todo, x.wants.why);
}

/// Our shutdown ran, and nothing of ours starts it again.
bool is_left_down(const state& s, const situation& x) {
  return s.wanted_up && x.seen.instance.admin == admin_state::down;
}

verdict with_pending(state s, const situation& x) {
  const auto* p = current(s, x);
  adopt(s, p->tag, x);
  // Also one of a repair that waits behind it: its job may be on its way.
  if (!x.tags.armed.empty())
    return armed_by_another(std::move(s), x, first_armed(x, s.repair));
  // Whoever took that token may have sent a job that we do not know.
  if (std::exchange(s.armed_since, never) != never)
    take_restarted(s, x.now);
  if (auto text = unknown_end(s, x); !text.empty())
    return rest(std::move(s), phase::pending, std::move(text));
  if (awaits_mirror(s, x))
    return rest(std::move(s), phase::pending,
                "waits to hear how its mirror is now");
  // It has helped: what else is needed is another step.
  if (std::exchange(s.mending, false) && !s.from.empty()
      && x.seen.mirror_fault.empty())
    step_is_done(s);
  if (!x.wants.broken) {
    if (s.tag_tries == 0)
      s.due = never; // there is nothing left to try again
    if (is_left_down(s, x))
      return stopped(std::move(s), x);
    if (was_cut(s, x))
      return cut_short(std::move(s), x);
    if (x.seen.mirror_syncs)
      return rest(std::move(s), phase::pending,
                  "its mirror is written anew; it is in order again when that "
                  "has ended");
    return all_done(std::move(s), x);
  }
  if (!x.wants.type)
    return rest(std::move(s), phase::pending, x.wants.why);
  if (*x.wants.type > p->tag.type)
    return too_risky(std::move(s), x, *p);
  if (is_in_the_way(s, x))
    return make_way(std::move(s), x, *p);
  auto todo = *plan_for(s, x.seen, x.limits);
  return pursue(std::move(s), x, *p, todo);
}

/// The job that should have brought the pending tag failed, maybe before it.
verdict without_tag(state s, const situation& x) {
  if (auto text = unknown_end(s, x); !text.empty())
    return rest(std::move(s), phase::pending, std::move(text));
  if (!x.wants.broken && was_cut(s, x))
    return cut_short(std::move(s), x);
  if (!x.wants.broken || !x.wants.type) {
    close(s);
    s.repair.clear();
    s.phase = phase::needs_repair;
    return without_pending(std::move(s), x);
  }
  if (auto stop = held(s, x, "note the repair"); !stop.empty())
    return rest(std::move(s), phase::pending, std::move(stop));
  return send_pending(std::move(s), x, x.wants.why + "; notes the repair");
}

// --- in any case -------------------------------------------------------------

/// Nothing is done but that a token of another is removed: that keeps a step
/// from being carried out, and what is suspended is to be left alone.
verdict suspended(state s, const situation& x) {
  if (const auto* p = current(s, x))
    if (!x.tags.armed.empty()) {
      adopt(s, p->tag, x);
      return armed_by_another(std::move(s), x, first_armed(x, p->tag.id));
    }
  s.armed_since = never;
  auto waiting = !x.tags.queue.empty() || !x.tags.strange.empty()
                 || (s.phase == phase::pending && s.untagged);
  if (!waiting && !x.wants.broken)
    return calm(s, x);
  auto why = orderly::describe(x.may);
  if (x.wants.broken)
    why = x.wants.why + "; " + why;
  if (is_left_down(s, x))
    why
      += "; it was shut down by its reinstallation, which was called back, and "
         "nobody starts it";
  return rest(std::move(s), waiting ? phase::pending : phase::needs_repair,
              std::move(why));
}

std::string odd_tag(const situation& x) {
  const auto& p = x.tags.strange.front();
  auto why = fmt::format("tag {}: {}", orderly::printable(p.text),
                         strange_text(p, x.seen));
  return x.wants.broken ? x.wants.why + "; " + why : why;
}

/// The job that would have shut it down has left its token, and so did nothing:
/// whoever marks it down by now is a person.
bool never_shut_down(const state& s, const situation& x) {
  return s.shut_by != 0 && !is_older(x.seen, s.moved)
         && has_tag(x.seen, token_text(s.repair, s.shut_by));
}

/// Somebody took our tag away, and with it the repair. What that shut down the
/// next one starts.
void drop_taken(state& s, const situation& x) {
  auto down = is_left_down(s, x);
  close(s);
  s.repair.clear();
  s.wanted_up = down;
}

verdict decided(const state& before, const situation& x) {
  auto s = before;
  see_effect(s, x);
  if (x.now >= s.due)
    s.due = never;
  s.wants_room = false;
  if (never_shut_down(s, x))
    s.wanted_up = false;
  if (!x.tags.failures.empty()) {
    lay_down(s);
    return tidy(rest(std::move(s), phase::failed,
                     fmt::format("failed before: untouched as long as tag {} "
                                 "is there",
                                 x.tags.failures.front().text)),
                x);
  }
  if (s.phase == phase::failed && !s.repair.empty() && !acts(x.limits)) {
    // The verdict is not written, and not ours to take: judged anew later.
    s.phase = phase::pending;
    s.act = act_kind::record;
  }
  // In order for long without us: a verdict that nobody could write is old. Of
  // what we cut off ourselves the record does not tell.
  auto overtaken = is_overtaken(s, x) && !was_cut(s, x) && !is_left_down(s, x);
  if (s.phase == phase::failed && !s.repair.empty()
      && (overtaken || goes_on_elsewhere(s, x) || ended_well_after_all(s, x))) {
    close(s);
    s.repair.clear();
    s.phase = phase::needs_repair;
  }
  if (s.phase == phase::failed && !s.repair.empty()) {
    auto why = s.last_text;
    if (auto open = open_end(s, x); !open.empty())
      return rest(std::move(s), phase::failed,
                  fmt::format("failed: {}; {}", why, open));
    return fail(std::move(s), x, std::move(why));
  }
  auto tagged = find(x.tags, s.repair) != nullptr;
  auto waits_for_tag = s.phase == phase::pending && s.untagged && !tagged;
  if (s.phase == phase::pending && !tagged && !s.untagged) {
    // A job that brings the tag up to date removes it first.
    if (auto job = worked_on(x); !job.empty())
      return rest(std::move(s), phase::pending, std::move(job));
    drop_taken(s, x);
  }
  if (x.may.what == permission::verdict::suspended)
    return tidy(suspended(std::move(s), x), x);
  // Whatever stands there as unfinished comes first, though it permits nothing.
  if (x.tags.queue.empty() && !x.tags.strange.empty())
    return tidy(rest(std::move(s), phase::pending, odd_tag(x)), x);
  if (waits_for_tag && x.tags.queue.empty())
    return without_tag(std::move(s), x);
  if (x.tags.queue.empty())
    return tidy(without_pending(std::move(s), x), x);
  return tidy(with_pending(std::move(s), x), x);
}

} // namespace

verdict decide(const state& before, const situation& x) {
  auto v = decided(before, x);
  v.next.strange.clear();
  for (const auto& p : x.tags.strange)
    v.next.strange.push_back(p.tag.id);
  return v;
}

} // namespace orderly::autorepair
