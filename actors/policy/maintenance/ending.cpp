// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/ending.hpp"

#include "actors/policy/maintenance/grounds.hpp"
#include "actors/policy/maintenance/life.hpp"
#include "actors/policy/maintenance/opcodes.hpp"
#include "actors/policy/maintenance/work.hpp"
#include "messages/codes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::maintenance {

void forget(verdict& v, const situation& x, std::string why) {
  v.actions.emplace_back(
    tell{entry_kind::decision, codes::event_forgotten, why});
  turn(v, x, event_phase::forgotten, std::move(why));
  let_go(v);
}

namespace {

bool has_tag(const node_record& x, const std::string& tag) {
  return std::find(x.tags.begin(), x.tags.end(), tag) != x.tags.end();
}

} // namespace

bool is_untrue(const state& s) {
  switch (s.phase) {
  case event_phase::draining:
  case event_phase::evacuating:
  case event_phase::closing:
    return s.tagged;
  case event_phase::failing:
    return s.tagged && s.tag == std::string{ready_tag} + s.uuid;
  case event_phase::canceled:
    return s.tagged;
  default:
    return false;
  }
}

namespace {

/// The tag was written of a node that is not what it says by now: who reads it
/// would open a machine that is in service.
void take_tag_back(verdict& v, const situation& x, const std::string& why) {
  auto& s = v.next;
  v.actions.emplace_back(
    tell{entry_kind::alert, codes::event_failed,
         fmt::format("{} stands on {}, and is not so: {}. It is removed", s.tag,
                     s.node, why)});
  add(v, x, {.kind = work_kind::untag});
  turn(v, x, event_phase::closing, why);
  tend(v, x);
}

} // namespace

void tend_untrue_tag(verdict& v, const situation& x, const node_record& node) {
  auto& s = v.next;
  if (!is_untrue(s))
    return;
  if (lacks(s.lacking_tag, x, is_fresh(s, x) && !has_tag(node, s.tag))) {
    s.tagged = false; // a person was quicker
    std::erase_if(s.open, [](const work& w) {
      return w.kind == work_kind::untag && w.stage != work_stage::sent;
    });
    return;
  }
  if (!has(s, work_kind::untag) && has_tag(node, s.tag))
    add(v, x, {.kind = work_kind::untag});
}

void tend_tagging(verdict& v, const situation& x, const node_record& node) {
  auto& s = v.next;
  if (has(s, work_kind::untag))
    return;
  auto sent = std::any_of(s.open.begin(), s.open.end(), [](const work& w) {
    return w.kind == work_kind::ready && w.stage == work_stage::sent;
  });
  auto why = is_fresh(s, x) ? unready(s, x.seen) : std::string{};
  if (!s.tagged && !sent && !why.empty()) {
    s.open.clear();
    turn(v, x, event_phase::closing, why);
    tend(v, x);
    return;
  }
  // What has the node only for a while says nothing of it.
  if (s.tagged && !why.empty()) {
    if (!node.offline || !lodger_of(s, x.seen).empty())
      take_tag_back(v, x, why);
    else
      wait_for(v, x, std::move(why));
    return;
  }
  if (s.tagged && !is_fresh(s, x) && s.action != event_action::live_repair)
    return; // it is looked at once more
  if (s.tagged || (is_fresh(s, x) && has_tag(node, s.tag)))
    turn(v, x, event_phase::completed, "it is done: " + s.tag);
  else if (!has(s, work_kind::ready)
           && (s.action == event_action::live_repair || is_fresh(s, x)))
    add(v, x, {.kind = work_kind::ready});
}

void tend_failing(verdict& v, const situation& x) {
  auto& s = v.next;
  if (s.tagged && !is_untrue(s)) {
    turn(v, x, event_phase::failed, s.reason);
    return;
  }
  auto only_tags = std::all_of(s.open.begin(), s.open.end(), [](const work& w) {
    return w.kind == work_kind::sorry;
  });
  if (!only_tags)
    return; // what runs ends first
  if (!has(s, work_kind::sorry)) {
    s.tag = std::string{failed_tag} + s.uuid;
    add(v, x, {.kind = work_kind::sorry});
  }
}

void tend_ended(verdict& v, const situation& x, const node_record& node) {
  auto& s = v.next;
  if (!lacks(s.lacking_tag, x, is_fresh(s, x) && !has_tag(node, s.tag))
      || has(s, work_kind::untag))
    return;
  if (s.phase == event_phase::failed)
    forget(v, x, "its tag was removed");
  else if (s.absent > 0)
    forget(v, x, "its tag was removed, and it is not reported any more");
  else
    turn(v, x, event_phase::acknowledged,
         "its tag was removed; it is forgotten when it is no longer reported");
}

void tend_over(verdict& v, const situation& x) {
  const auto& s = v.next;
  if (!is_untrue(s) && s.absent > 0 && s.open.empty())
    forget(v, x, "it is not reported any more");
}

} // namespace orderly::maintenance
