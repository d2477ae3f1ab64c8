// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/life.hpp"

#include "actors/policy/maintenance/ending.hpp"
#include "actors/policy/maintenance/grounds.hpp"
#include "actors/policy/maintenance/moves.hpp"
#include "actors/policy/maintenance/rank.hpp"
#include "actors/policy/maintenance/report.hpp"
#include "actors/policy/maintenance/table.hpp"
#include "actors/policy/maintenance/work.hpp"
#include "messages/codes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::maintenance {

void cancel(verdict& v, const situation& x, std::string why) {
  v.actions.emplace_back(
    tell{entry_kind::alert, codes::event_failed,
         fmt::format("{} of {} is canceled: {}", to_string(v.next.action),
                     v.next.node, why)});
  turn(v, x, event_phase::canceled, std::move(why));
  call_back_all(v);
}

namespace {

/// Another event of the node is worse: what has not begun gives way to it.
bool gives_way(verdict& v, const situation& x) {
  if (x.seen.turn)
    return false;
  for (auto& w : v.next.open)
    if (w.kind == work_kind::move || w.kind == work_kind::mirror
        || w.kind == work_kind::command)
      call_back(v, w);
  wait_for(v, x, "a worse event of its node acts first");
  return true;
}

/// It had to wait for its first job, and its node is well by now, or it would
/// not begin any more: then its slot is for others. What was called back never
/// ran: a command that ran ends its phase, and a drained mark is seen.
bool was_begun_in_vain(verdict& v, const situation& x) {
  auto& s = v.next;
  auto sent = std::any_of(s.open.begin(), s.open.end(), [](const work& w) {
    return w.stage == work_stage::sent;
  });
  auto untouched
    = s.phase != event_phase::evacuating && !s.marked && !s.put_out;
  if (sent || !is_fresh(s, x) || !(untouched || s.jobs.empty()))
    return false;
  if (s.absent >= debounce_of(s.action, x.limits)) {
    forget(v, x,
           "nothing was done for it yet, and it is not reported any more");
    return true;
  }
  auto why = unwilling(s, x);
  if (why.empty())
    return false;
  call_back_all(v);
  s.marked = s.put_out = false;
  s.begun = never;
  turn(v, x, event_phase::noted, "nothing was done for it yet; " + why);
  return true;
}

/// Whoever set the marks of its node: they are seen. Those of an emergency
/// power-off are not its own, and go with that.
void note_marks(state& s, const situation& x, const node_record& node) {
  if (!is_at_work(s.phase) || !is_fresh(s, x))
    return;
  auto epo = x.seen.around->powered_off.count(s.node) > 0
             || x.seen.read_at <= x.seen.freed;
  s.marked = !epo && (s.marked || node.drained);
  // Whoever sets it back to drained lets the rest leave.
  auto back = s.phase == event_phase::evacuating && node.drained;
  s.put_out = !epo && !back && (s.put_out || node.offline);
  if (!epo && (node.drained || node.offline))
    s.mark_seen = x.seen.read_at;
}

/// A mark that a person took away is not set again for the same event.
void give_up(verdict& v, const situation& x, const char* mark) {
  // What was asked for later a person may not have known of.
  v.next.given_up = v.next.mark_seen;
  cancel(
    v, x,
    fmt::format("somebody took the {} mark of {} away", mark, v.next.node));
}

void tend_draining(verdict& v, const situation& x, const node_record& node) {
  auto& s = v.next;
  if (was_begun_in_vain(v, x))
    return;
  if (has(s, work_kind::drain) || !is_fresh(s, x))
    return;
  if (node.drained || node.offline) {
    s.lacking = never;
    turn(v, x, event_phase::evacuating, "what is on its node moves away");
    tend(v, x);
  } else if (s.marked) {
    if (lacks(s.lacking, x, true))
      give_up(v, x, "drained");
  } else if (!gives_way(v, x)) {
    add(v, x, {.kind = work_kind::drain});
  }
}

/// An emergency power-off took the drained mark with its own: it is set again,
/// if the node still asks. True while it is not there.
bool drains_again(verdict& v, const situation& x, const node_record& node) {
  auto& s = v.next;
  if (s.marked || s.put_out || node.drained || node.offline || !is_fresh(s, x))
    return false;
  if (has(s, work_kind::drain))
    return true;
  if (s.absent > 0) {
    cancel(
      v, x,
      fmt::format("an emergency power-off took the drained mark of {} with "
                  "its own, and it is not reported any more",
                  s.node));
  } else if (!gives_way(v, x)) {
    add(v, x, {.kind = work_kind::drain});
  }
  return true;
}

/// The drained mark that it had is gone, and no offline mark is there in its
/// place. Nothing is begun while one reading says so; two end the event.
bool is_undrained(verdict& v, const situation& x, const node_record& node) {
  auto& s = v.next;
  if (is_mark_gone(s, node)) {
    if (is_fresh(s, x) && lacks(s.lacking, x, true))
      give_up(v, x, s.put_out ? "offline" : "drained");
    return true;
  }
  s.lacking = never;
  return drains_again(v, x, node);
}

void tend_closing(verdict& v, const situation& x, const node_record& node) {
  auto& s = v.next;
  if (has(s, work_kind::offline) || !is_fresh(s, x))
    return;
  if (!s.put_out && is_undrained(v, x, node))
    return;
  if (node.offline)
    s.lacking = never;
  if (!lodger_of(s, x.seen).empty()) {
    turn(v, x, event_phase::evacuating, "something came to its node");
    tend(v, x);
  } else if (auto why = unready(s, x.seen); node.offline && !why.empty()) {
    wait_for(v, x, std::move(why));
  } else if (node.offline) {
    v.actions.emplace_back(tell{entry_kind::decision, codes::event_done,
                                s.node + " is empty and offline"});
    turn(v, x, event_phase::tagging, s.node + " is empty and offline");
    tend(v, x);
  } else if (s.put_out) {
    if (lacks(s.lacking, x, true))
      give_up(v, x, "offline");
  } else if (!gives_way(v, x)) {
    add(v, x, {.kind = work_kind::offline});
  }
}

/// What waits is not what the node needs any more.
bool is_moot(const work& w, const state& s, const node_record& node,
             const situation& x) {
  if (w.stage != work_stage::waiting)
    return false;
  if (w.kind == work_kind::drain)
    return node.drained || node.offline || s.marked || !x.seen.turn
           || (s.absent > 0 && s.phase != event_phase::draining);
  return w.kind == work_kind::offline
         && (node.offline || !node.drained || !lodger_of(s, x.seen).empty()
             || !x.seen.turn);
}

/// Then it is decided anew.
void drop_moot(verdict& v, const situation& x, const node_record& node) {
  auto& s = v.next;
  std::erase_if(s.open, [&](const work& w) {
    auto moot = is_moot(w, s, node, x);
    if (moot)
      v.actions.emplace_back(give_back_permit{owner_of(s, w)});
    return moot;
  });
}

} // namespace

void tend(verdict& v, const situation& x) {
  auto& s = v.next;
  if (s.phase == event_phase::forgotten || !x.seen.picture)
    return;
  const auto* node = node_of(s, x.seen);
  if (node == nullptr) {
    forget(v, x, s.node + " is not in the cluster any more");
    return;
  }
  note_marks(s, x, *node);
  drop_moot(v, x, *node);
  call_back_fallen(v, x);
  tend_untrue_tag(v, x, *node);
  switch (s.phase) {
  case event_phase::noted:
    tend_noted(v, x, *node);
    break;
  case event_phase::draining:
    tend_draining(v, x, *node);
    break;
  case event_phase::evacuating:
    if (!was_begun_in_vain(v, x) && !is_undrained(v, x, *node)
        && !gives_way(v, x))
      evacuate(v, x);
    break;
  case event_phase::closing:
    tend_closing(v, x, *node);
    break;
  case event_phase::tagging:
    tend_tagging(v, x, *node);
    break;
  case event_phase::failing:
    tend_failing(v, x);
    break;
  case event_phase::completed:
  case event_phase::failed:
    tend_ended(v, x, *node);
    break;
  case event_phase::acknowledged:
  case event_phase::canceled:
    tend_over(v, x);
    break;
  case event_phase::repairing:
    if (was_begun_in_vain(v, x))
      break;
    if (!has(s, work_kind::command) && !gives_way(v, x))
      add(v, x, {.kind = work_kind::command});
    else if (!x.seen.turn)
      gives_way(v, x);
    break;
  case event_phase::forgotten:
    break;
  }
  nudge(v, x);
}

void turn(verdict& v, const situation& x, event_phase to, std::string why) {
  auto& s = v.next;
  if (s.phase == to || !leads(s.phase, to))
    return;
  s.phase = to;
  s.why = why;
  s.tries = 0;
  s.mtime = x.now;
  ++s.serial_no;
  v.why = std::move(why);
}

void wait_for(verdict& v, const situation& x, std::string why) {
  auto& s = v.next;
  if (s.why == why)
    return;
  // News and no change: a person's order is not refused for it (ADR 0051).
  s.why = why;
  s.mtime = x.now;
  v.why = std::move(why);
}

void fail(verdict& v, const situation& x, std::string reason) {
  auto& s = v.next;
  if (s.phase == event_phase::failing || !leads(s.phase, event_phase::failing))
    return;
  s.reason = reason;
  v.actions.emplace_back(tell{
    entry_kind::alert, codes::event_failed,
    fmt::format("{} of {} failed: {}", to_string(s.action), s.node, reason)});
  turn(v, x, event_phase::failing, std::move(reason));
  call_back_all(v);
  tend(v, x);
}

} // namespace orderly::maintenance
