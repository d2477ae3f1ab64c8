// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/work.hpp"

#include "actors/policy/base/backoff.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/policy/base/job_errors.hpp"
#include "actors/policy/maintenance/grounds.hpp"
#include "actors/policy/maintenance/life.hpp"
#include "actors/policy/maintenance/moves.hpp"
#include "actors/policy/maintenance/opcodes.hpp"
#include "actors/policy/maintenance/report.hpp"
#include "messages/codes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::maintenance {

namespace {

/// Done twice it may ruin something.
bool only_once(work_kind x) {
  return x == work_kind::command || moves(x);
}

ask_permit permit_of(const state& s, const work& w) {
  ask_permit q;
  q.owner = owner_of(s, w);
  q.leaves = {s.node};
  // A mirror that is of no use elsewhere is replaced before its home can leave.
  if (w.kind == work_kind::mirror && w.from.secondary != s.node)
    q.leaves.push_back(w.from.secondary);
  if (!w.instance.empty()) {
    q.instances = {w.instance};
    q.also = {w.from.primary};
  }
  if (!w.target.empty())
    q.joins = {w.target};
  q.alone = asks_home(s, w);
  return q;
}

void ask(verdict& v, work& w) {
  w.stage = work_stage::asking;
  v.actions.emplace_back(permit_of(v.next, w));
}

void send(verdict& v, work& w, const situation& x) {
  auto& s = v.next;
  w.stage = work_stage::sent;
  w.intent = event_intent(s.uuid, ++s.sent, to_string(w.kind));
  auto what = sentence_of(s, w);
  v.actions.emplace_back(
    tell{only_tags(w.kind) ? entry_kind::note : entry_kind::decision,
         to_string(w.kind), what});
  submit order{
    w.intent, opcodes_of(s, w, x.limits), what, only_once(w.kind), {}};
  if (w.kind == work_kind::command)
    order.command = command_in(s.original);
  v.actions.emplace_back(std::move(order));
}

std::vector<work>::iterator find(state& s, const object_id& owner,
                                 work_stage stage) {
  return std::find_if(s.open.begin(), s.open.end(), [&](const work& w) {
    return w.stage == stage && owner_of(s, w) == owner && !only_tags(w.kind);
  });
}

/// Its job ended well.
void succeed(verdict& v, const work& w, const situation& x) {
  auto& s = v.next;
  s.tries = 0;
  s.held = 0;
  if (moves(w.kind))
    s.left[w.instance] = {w.from, x.now};
  if (w.kind == work_kind::drain)
    s.marked = true;
  if (w.kind == work_kind::offline)
    s.put_out = true;
  if (w.kind == work_kind::ready || w.kind == work_kind::sorry)
    s.tagged = true;
  if (w.kind == work_kind::untag)
    s.tagged = false;
  if (w.kind != work_kind::command)
    return;
  auto how = "its repair command ended well";
  v.actions.emplace_back(tell{entry_kind::decision, codes::event_done, how});
  turn(v, x, event_phase::tagging, how);
}

/// It is to be asked for once more, with a permit of its own.
void put_off(state& s, work w, instant due) {
  w.stage = work_stage::waiting;
  w.intent.clear();
  w.job = 0;
  w.withdrawn = false;
  w.due = due;
  s.open.push_back(std::move(w));
}

/// Something speaks against a step that was about to leave: later and later.
void hold_back(verdict& v, const work& w, const std::string& why,
               const situation& x) {
  auto& s = v.next;
  auto due
    = x.now
      + backoff(plan_pause, std::max(plan_pause, x.limits.retry_max), ++s.held);
  if (moves(w.kind))
    s.plan_due = due;
  else
    put_off(s, w, due);
  const auto& what = w.instance.empty() ? s.node : w.instance;
  wait_for(v, x, fmt::format("{} waits: {}", what, why));
  if (s.held == held_told)
    v.actions.emplace_back(
      tell{entry_kind::alert, codes::event_stuck,
           fmt::format("{} of {} does not go on: {} waits: {}",
                       to_string(s.action), s.node, what, why)});
}

/// A tag could not be written: again, later and later.
void retry_tag(verdict& v, work w, const situation& x, const std::string& how) {
  auto& s = v.next;
  ++s.tries;
  if (s.tries == tag_tries_told)
    v.actions.emplace_back(tell{
      entry_kind::alert, codes::event_stuck,
      fmt::format("{} cannot be {} {}: {}", s.tag,
                  w.kind == work_kind::untag ? "removed from" : "written to",
                  s.node, how)});
  // A person asked for it, and may ask again.
  if (w.kind == work_kind::untag && is_final(s.phase)
      && s.phase != event_phase::canceled)
    return;
  put_off(s, std::move(w),
          x.now + backoff(x.limits.retry_base, x.limits.retry_max, s.tries));
}

std::string how_it_ended(const work& w, const job_event& e) {
  auto what = e.id == 0 ? std::string{"its job"} : fmt::format("job {}", e.id);
  return fmt::format("{} ({}) {}{}{}", what, to_string(w.kind),
                     e.phase == job_phase::ended ? to_string(e.status)
                                                 : to_string(e.phase),
                     e.text.empty() ? "" : ": ", e.text);
}

/// It was never sent, or called back, by us or by the next master, or Ganeti
/// takes no jobs just now: it is decided anew by what is so then.
bool never_ran(const work& w, const job_event& e) {
  auto refused = e.phase == job_phase::refused;
  auto canceled
    = e.phase == job_phase::ended && e.status == job_status::canceled;
  // What was called back and is nowhere to be found may have run before.
  auto lost = e.absent && w.kind == work_kind::command;
  return (refused && (e.untried || is_closed_queue(e.text)))
         || (w.withdrawn && refused && !lost)
         || (canceled && (w.withdrawn || e.by_another));
}

/// Nothing is sent about a node that an emergency power-off has: it could not
/// tell our change of it from that of a person.
bool is_powered_off(const state& s, const situation& x) {
  return x.seen.around->powered_off.count(s.node) > 0;
}

/// Its plan may be good for nothing by now: who decided then knew less.
bool is_planned_long_ago(const work& w, const situation& x) {
  return moves(w.kind) && w.planned != never && x.now - w.planned > plan_good;
}

/// So many tries by now. All moves by one plan that come to nothing, for want
/// of room or as luxid is in trouble, are one.
std::uint32_t counted(state& s, const work& w) {
  auto known = w.planned != never && w.planned == s.tried_plan;
  s.tried_plan = w.planned;
  return s.tries += known ? 0 : 1;
}

void judge(verdict& v, const work& w, const job_event& e, const situation& x) {
  auto& s = v.next;
  if (e.phase == job_phase::ended && e.status == job_status::success) {
    succeed(v, w, x);
    return;
  }
  auto how = how_it_ended(w, e);
  if (only_tags(w.kind)) {
    if (w.kind == work_kind::ready && w.withdrawn && never_ran(w, e))
      return; // whether it is written is decided anew
    if (w.kind == work_kind::untag && e.phase == job_phase::ended
        && e.status == job_status::error && is_missing_tag(e.text)) {
      succeed(v, w, x); // a person was quicker
      return;
    }
    retry_tag(v, w, x, how);
    return;
  }
  if (never_ran(w, e)) {
    s.hops.erase(w.instance); // what follows in the plan rests on it
    std::erase(s.jobs, e.id); // nothing was done by it
    if (e.phase == job_phase::refused && (moves(w.kind) || !w.withdrawn))
      hold_back(v, w, e.text, x);
    return;
  }
  // Nothing ran: a queue in short trouble takes it a little later.
  auto tried = s.tries;
  if (e.phase == job_phase::refused && !e.absent && counted(s, w) < tries_max) {
    s.hops.erase(w.instance);
    if (s.tries != tried)
      hold_back(v, w, e.text, x);
    return;
  }
  // No job of it was found in queue and archive. What moves an instance onto a
  // drained node is refused if it should still be read; a command is not.
  auto again
    = e.phase == job_phase::refused && e.absent && w.kind != work_kind::command;
  auto roomless
    = moves(w.kind) && e.phase == job_phase::ended && is_want_of_room(e.text);
  if ((again || roomless) && counted(s, w) < tries_max) {
    s.hops.clear();
    s.planned_at = never;
    s.plan_due = x.now + plan_pause;
    return;
  }
  fail(v, x, how);
}

} // namespace

bool has(const state& s, work_kind kind) {
  return std::any_of(s.open.begin(), s.open.end(),
                     [kind](const work& w) { return w.kind == kind; });
}

std::optional<ask_permit> permit_of(const state& s, const intent_id& intent) {
  for (const auto& w : s.open)
    if (w.intent == intent && !only_tags(w.kind) && !is_late(w))
      return permit_of(s, w);
  return std::nullopt;
}

void add(verdict& v, const situation& x, work w) {
  auto& s = v.next;
  if (!only_tags(w.kind))
    ask(v, w);
  else if (!is_powered_off(s, x)) // else it waits until that has let go
    send(v, w, x);
  s.open.push_back(std::move(w));
}

void call_back(verdict& v, work& w) {
  if (w.stage == work_stage::sent && !w.withdrawn) {
    w.withdrawn = true;
    v.actions.emplace_back(withdraw{w.intent});
  }
}

void let_go(verdict& v) {
  call_back_all(v);
  for (const auto& w : v.next.open)
    if (!only_tags(w.kind))
      v.actions.emplace_back(give_back_permit{owner_of(v.next, w)});
}

void call_back_all(verdict& v) {
  auto& s = v.next;
  std::erase_if(s.open, [&](const work& w) {
    // What was written and is not so goes in any case.
    if (w.stage == work_stage::sent || w.kind == work_kind::untag)
      return false;
    if (!only_tags(w.kind))
      v.actions.emplace_back(give_back_permit{owner_of(s, w)});
    return true;
  });
  for (auto& w : s.open)
    if (!only_tags(w.kind))
      call_back(v, w);
}

void nudge(verdict& v, const situation& x) {
  for (auto& w : v.next.open) {
    if (w.stage != work_stage::waiting || w.due > x.now)
      continue;
    // Success is said of what is so, not of what was.
    if (only_tags(w.kind) && is_powered_off(v.next, x))
      continue;
    auto unsure
      = w.kind == work_kind::ready
        && (x.seen.read_at <= v.next.changed || !against(v.next, w, x).empty());
    if (unsure)
      continue;
    if (only_tags(w.kind))
      send(v, w, x);
    else
      ask(v, w);
  }
}

void take(verdict& v, const permit_answered& e, const situation& x) {
  auto& s = v.next;
  auto w = find(s, e.owner, work_stage::asking);
  if (w == s.open.end()) {
    // For what was sent before a restart it only reserves.
    auto sent = find(s, e.owner, work_stage::sent) != s.open.end();
    if (e.answer.granted && !sent)
      v.actions.emplace_back(give_back_permit{e.owner});
    return;
  }
  if (!e.answer.granted) {
    w->stage = work_stage::waiting;
    w->due = e.answer.retry_at;
    ++w->refusals;
    wait_for(v, x, "waits for a permit: " + e.answer.why);
    return;
  }
  if (is_planned_long_ago(*w, x)) {
    s.open.erase(w);
    s.planned_at = never;
    v.actions.emplace_back(give_back_permit{e.owner});
    tend(v, x);
    return;
  }
  if (auto why = against(s, *w, x); !why.empty()) {
    auto held = std::move(*w);
    s.open.erase(w);
    v.actions.emplace_back(give_back_permit{e.owner});
    s.planned_at = never;
    hold_back(v, held, why, x);
    return;
  }
  send(v, *w, x);
}

void take(verdict& v, const permit_called& e, const situation& x) {
  for (auto& w : v.next.open)
    if (w.stage == work_stage::waiting && owner_of(v.next, w) == e.owner)
      w.due = x.now;
  tend(v, x);
}

void take(verdict& v, const job_event& e, const situation& x) {
  auto& s = v.next;
  auto w = std::find_if(s.open.begin(), s.open.end(), [&](const work& o) {
    return o.stage == work_stage::sent && o.intent == e.intent;
  });
  if (w == s.open.end())
    return;
  if (e.phase == job_phase::submitted) {
    w->job = e.id;
    if (std::count(s.jobs.begin(), s.jobs.end(), e.id) == 0)
      s.jobs.push_back(e.id);
    s.mtime = x.now;
    ++s.serial_no;
    return;
  }
  if (e.phase == job_phase::overdue && e.id != 0) {
    // It may still end well: a large disk takes its time. If it waits again,
    // it is called back by whoever follows it.
    w->withdrawn = w->overdue = true;
    if (is_late(*w))
      v.actions.emplace_back(give_back_permit{owner_of(s, *w)});
    auto how = e.status < job_status::running
                 ? "did not begin by its deadline: it is canceled if it still "
                   "waits, and then tried again"
                 : "has not ended by its deadline";
    v.actions.emplace_back(
      tell{entry_kind::alert, codes::event_stuck,
           fmt::format("{} of {} waits for job {} ({}), which {}; see gnt-job "
                       "info {}",
                       to_string(s.action), s.node, e.id, to_string(w->kind),
                       how, e.id)});
    return;
  }
  auto ended = std::move(*w);
  s.open.erase(w);
  s.changed = x.now;
  s.acted = s.acted || (!only_tags(ended.kind) && !never_ran(ended, e));
  // After a restart its end may be all that is told of it.
  if (e.id != 0 && std::count(s.jobs.begin(), s.jobs.end(), e.id) == 0)
    s.jobs.push_back(e.id);
  if (!only_tags(ended.kind))
    v.actions.emplace_back(give_back_permit{owner_of(s, ended)});
  judge(v, ended, e, x);
  tend(v, x);
}

} // namespace orderly::maintenance
