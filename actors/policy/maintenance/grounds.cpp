// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/grounds.hpp"

#include "actors/policy/maintenance/moves.hpp"
#include "actors/policy/maintenance/opcodes.hpp"
#include "actors/policy/maintenance/work.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::maintenance {

namespace {

constexpr const char* unsearched
  = "waits until the queue was searched for repair commands of others";

/// With its job an event begins to act.
bool is_first(work_kind x) {
  return x == work_kind::command || x == work_kind::drain;
}

/// The last report that showed it is too old to begin anything by it.
bool is_unheard(const state& s, const situation& x) {
  // By a calendar that was set back it may seem to be from later.
  return s.seen_at > x.now || x.now - s.seen_at > x.limits.evidence_max_age;
}

/// It was asked for once, and is not any more: the queue is as good a place to
/// stop it as any. One answer may be wrong.
bool is_void(const state& s, const work& w, const situation& x) {
  return (is_first(w.kind) || !s.acted)
         && (is_unheard(s, x) || s.absent >= debounce_of(s.action, x.limits));
}

} // namespace

std::string unasked(const state& s, const situation& x) {
  if (is_unheard(s, x))
    return "waits for a fresh report of its node";
  if (s.absent > 0)
    return "its node's newest report does not show it";
  if (x.seen.worked != never && s.seen_at <= x.seen.worked)
    return "waits for a report from after another event of its node";
  return {};
}

std::string unwilling(const state& s, const situation& x) {
  auto most = debounce_of(s.action, x.limits);
  if (s.seen < most)
    return fmt::format("was reported {} of {} times in a row", s.seen, most);
  if (x.limits.mode != repair_mode::act)
    return fmt::format("would {}, but maintenance.mode is {}",
                       to_string(s.action), to_string(x.limits.mode));
  if (auto why = unasked(s, x); !why.empty())
    return why;
  if (s.action == event_action::live_repair && !x.seen.unknown.empty())
    return "is held: " + x.seen.unknown;
  if (s.action == event_action::live_repair && !x.seen.searched)
    return unsearched;
  if (const auto* node = node_of(s, x.seen);
      s.action == event_action::live_repair && node != nullptr && node->offline)
    return "waits until its node is in service: Ganeti runs no command on one "
           "that is marked offline";
  // Which trouble changes too often to be told of each time.
  if (x.seen.around->troubled.count(s.node) != 0)
    return "waits until its node is out of trouble, and left to nobody";
  return {};
}

std::string unready(const state& s, const event_facts& seen) {
  if (s.action == event_action::live_repair)
    return {};
  const auto* node = node_of(s, seen);
  if (node == nullptr || !node->offline)
    return s.node + " is not marked offline";
  // Its mark goes when the power-off ends, and is none of ours.
  if (auto i = seen.around->powered_off.find(s.node);
      i != seen.around->powered_off.end())
    return fmt::format("{} {}", s.node, i->second);
  if (seen.read_at <= seen.freed)
    return s.node
           + " is back after an emergency power-off, and was not read "
             "since";
  return lodger_of(s, seen);
}

namespace {

/// The same of what was sent already: not to know just now whether we may act
/// takes nothing back; another master does, for nobody judges it there.
std::string outdated(const state& s, const work& w, const situation& x) {
  const auto* node = node_of(s, x.seen);
  if (node == nullptr)
    return s.node + " is not in the cluster any more";
  if (w.kind == work_kind::ready)
    return unready(s, x.seen);
  if (only_tags(w.kind))
    return {};
  if (!x.seen.usurper.empty())
    return x.seen.usurper + " is master";
  if (x.limits.mode != repair_mode::act)
    return fmt::format("maintenance.mode is {}", to_string(x.limits.mode));
  if (is_final(s.phase) || s.phase == event_phase::failing)
    return fmt::format("the event is {}", to_string(s.phase));
  if (!x.seen.turn)
    return "a worse event of the node acts first";
  // A command may run on the master; nothing there can be emptied.
  if (x.seen.picture->master == s.node && w.kind != work_kind::command)
    return s.node + " is the master now";
  if ((moves(w.kind) || w.kind == work_kind::offline) && is_mark_gone(s, *node))
    return s.node + " is not drained any more";
  switch (w.kind) {
  case work_kind::command:
    if (node->offline)
      return s.node + " is marked offline: Ganeti runs no command there";
    break;
  case work_kind::drain:
    // Whichever of its marks a node gets takes the other one away.
    if (node->drained || node->offline)
      return fmt::format("{} is {} already", s.node,
                         node->drained ? "drained" : "marked offline");
    break;
  case work_kind::offline:
    if (node->offline)
      return s.node + " is offline already";
    return lodger_of(s, x.seen);
  case work_kind::move:
  case work_kind::mirror:
    return against_move(s, w, x);
  default:
    break;
  }
  if (auto i = x.seen.around->troubled.find(s.node);
      i != x.seen.around->troubled.end())
    return fmt::format("{} {}", s.node, i->second);
  return {};
}

} // namespace

std::string against(const state& s, const work& w, const situation& x) {
  auto acts = !only_tags(w.kind);
  if (acts && !x.seen.no_right.empty())
    return "may not act: " + x.seen.no_right;
  // It may have waited for its permit for long.
  if (acts && (!s.acted || is_first(w.kind)))
    if (auto why = unasked(s, x); !why.empty())
      return why;
  if (w.kind == work_kind::command && !x.seen.unknown.empty())
    return x.seen.unknown;
  if (w.kind == work_kind::command && !x.seen.searched)
    return unsearched;
  if (auto why = outdated(s, w, x); !why.empty())
    return why;
  return goes_alone(s, w, x.limits) ? crowded(s, w, x) : std::string{};
}

void call_back_fallen(verdict& v, const situation& x) {
  for (auto& w : v.next.open) {
    if (w.stage != work_stage::sent)
      continue;
    auto says_so
      = w.kind == work_kind::ready && x.seen.read_at > v.next.changed;
    if (only_tags(w.kind) && !says_so)
      continue;
    auto fell = !only_tags(w.kind) && is_void(v.next, w, x);
    if (fell || !outdated(v.next, w, x).empty())
      call_back(v, w);
  }
}

} // namespace orderly::maintenance
