// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// An event that waits: when it begins, and what ends it before that.

#include "actors/policy/maintenance/ending.hpp"
#include "actors/policy/maintenance/grounds.hpp"
#include "actors/policy/maintenance/life.hpp"
#include "actors/policy/maintenance/report.hpp"
#include "actors/policy/maintenance/work.hpp"
#include "messages/codes.hpp"

#include <fmt/format.h>

namespace orderly::maintenance {

namespace {

/// Why it would not begin, were it its turn; empty: it would.
std::string unripe(const state& s, const situation& x) {
  if (auto why = unwilling(s, x); !why.empty())
    return why;
  if (!x.seen.held.empty())
    return "is held: " + x.seen.held;
  if (!x.seen.no_right.empty())
    return "may not act: " + x.seen.no_right;
  if (!x.seen.picture || x.now - x.seen.read_at > x.limits.picture_max_age)
    return "waits for the cluster to be read";
  // Marks from before it spoke may be gone, and would be all that it waits for.
  const auto* node = node_of(s, x.seen);
  if (node && (node->drained || node->offline) && x.seen.read_at <= s.ctime
      && s.ctime <= x.now)
    return "waits for the cluster to be read";
  return {};
}

void begin_repair(verdict& v, const situation& x) {
  auto& s = v.next;
  if (auto wrong = wrong_with_command(command_in(s.original)); !wrong.empty()) {
    fail(v, x, wrong);
    return;
  }
  turn(v, x, event_phase::repairing, "its node's repair command is to run");
  add(v, x, {.kind = work_kind::command});
}

void begin_evacuation(verdict& v, const situation& x, const node_record& node) {
  auto& s = v.next;
  if (x.seen.picture->master == s.node) {
    fail(v, x,
         fmt::format("{} is the master: run 'gnt-cluster master-failover' on "
                     "another node first, then remove the tag",
                     s.node));
    return;
  }
  turn(v, x, event_phase::draining, "its node is to take nothing new");
  if (!node.drained && !node.offline)
    add(v, x, {.kind = work_kind::drain});
  else
    tend(v, x);
}

/// Only a person ends that.
void tell_of_hold(verdict& v, const situation& x) {
  auto& s = v.next;
  if (s.stall_told || s.action != event_action::live_repair
      || x.seen.unknown.empty())
    return;
  s.stall_told = true;
  v.actions.emplace_back(
    tell{entry_kind::alert, codes::event_stuck,
         fmt::format("{} of {} does not begin: {}", to_string(s.action), s.node,
                     x.seen.unknown)});
}

/// Another master's orderly, or a person, marks the node while this event
/// waits. Who takes that mark away knows what its node reports: true if
/// somebody did.
bool note_foreign_marks(verdict& v, const situation& x,
                        const node_record& node) {
  auto& s = v.next;
  if (s.action == event_action::live_repair || x.seen.read_at <= s.ctime)
    return false;
  // What host HA, or an order, marks is about its power, and takes every other
  // mark with it.
  auto ordered = x.seen.around->powered_off.count(s.node) > 0
                 || x.seen.read_at <= x.seen.freed || !node.powered;
  if (ordered || x.seen.around->troubled.count(s.node) != 0) {
    s.mark_seen = s.lacking = never;
    return false;
  }
  if (node.drained || node.offline) {
    if (s.mark_seen < s.ctime)
      s.mark_seen = x.seen.read_at;
    s.lacking = never;
    return false;
  }
  if (s.mark_seen < s.ctime || !lacks(s.lacking, x, true))
    return false;
  cancel(
    v, x,
    fmt::format("somebody took the marks of {} away while it waited", s.node));
  return true;
}

} // namespace

void tend_noted(verdict& v, const situation& x, const node_record& node) {
  auto& s = v.next;
  auto most = debounce_of(s.action, x.limits);
  if (s.absent > 0 && (s.seen < most || s.absent >= most)) {
    forget(v, x, "it was noted, and is not reported any more");
    return;
  }
  if (s.action != event_action::live_repair && x.seen.given_up != never
      && s.ctime <= x.seen.given_up) {
    cancel(v, x,
           fmt::format("somebody took the marks of {} away while another event "
                       "had them",
                       s.node));
    return;
  }
  if (note_foreign_marks(v, x, node))
    return;
  if (s.lacking != never) {
    s.ripe = false;
    wait_for(v, x, "waits for the cluster to be read once more");
    return;
  }
  auto why = unripe(s, x);
  s.ripe = why.empty();
  if (!x.seen.turn && s.ripe)
    why = "another event of its node acts first";
  if (!x.seen.turn || !s.ripe) {
    tell_of_hold(v, x);
    wait_for(v, x, std::move(why));
    return;
  }
  if (!x.seen.slot)
    return; // it is given one when it is known to be willing
  s.begun = x.now;
  s.lacking = never;
  v.actions.emplace_back(
    tell{entry_kind::decision, codes::event_begun,
         fmt::format("begins to {} {}", to_string(s.action), s.node)});
  if (s.action == event_action::live_repair)
    begin_repair(v, x);
  else
    begin_evacuation(v, x, node);
}

} // namespace orderly::maintenance
