// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/event.hpp"

#include "actors/policy/base/backoff.hpp"
#include "actors/policy/maintenance/grounds.hpp"
#include "actors/policy/maintenance/life.hpp"
#include "actors/policy/maintenance/orders.hpp"
#include "actors/policy/maintenance/work.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::maintenance {

namespace {

void take(verdict& v, const looked&, const situation& x) {
  tend(v, x);
}

/// One run of the node's script is one report, however often it is asked about,
/// and so are two in a moment: whatever makes it err has not passed by then.
bool is_another(const state& s, const event_report& e, const situation& x) {
  // What was seen by a calendar that was set back counts no more, and how long
  // ago that was is not known.
  return s.absent > 0
         || (s.seen_at != never && e.at - s.seen_at >= x.limits.interval / 2);
}

/// What a node's answer means for an event that it showed, or did not.
void take(verdict& v, const event_report& e, const situation& x) {
  auto& s = v.next;
  auto most = debounce_of(s.action, x.limits);
  switch (e.what) {
  case event_report::sight::unknown:
    return;
  case event_report::sight::shown:
    if (is_another(s, e, x))
      s.seen = std::min(s.seen + 1, most);
    s.absent = 0;
    s.seen_at = std::max(s.seen_at, e.at);
    break;
  case event_report::sight::absent:
    s.absent = std::min(s.absent + 1, most);
    break;
  }
  tend(v, x);
}

void take(verdict& v, const planned& e, const situation& x) {
  auto& s = v.next;
  if (!s.planning)
    return;
  s.planning = false;
  s.hops = e.plan.hops;
  s.expected = e.plan.from;
  s.stuck = e.plan.stuck;
  s.planned_at = e.plan.planned ? x.now : never;
  s.plan_due = x.now + plan_pause;
  if (!e.plan.planned)
    wait_for(v, x, "waits for a plan: " + e.plan.text);
  tend(v, x);
}

} // namespace

const char* to_string(work_kind x) {
  switch (x) {
  case work_kind::command:
    return "command";
  case work_kind::drain:
    return "drain";
  case work_kind::move:
    return "move";
  case work_kind::mirror:
    return "mirror";
  case work_kind::offline:
    return "offline";
  case work_kind::ready:
    return "ready";
  case work_kind::sorry:
    return "failed";
  case work_kind::untag:
    return "untag";
  }
  return "?";
}

state begin(std::string uuid, const node_record& node, event_action wanted,
            std::string original, std::string identity, instant heard) {
  state s;
  s.tag = std::string{ready_tag} + uuid;
  s.uuid = std::move(uuid);
  s.node = node.name;
  s.node_uuid = node.uuid;
  s.action = wanted;
  s.original = std::move(original);
  s.identity = std::move(identity);
  s.ctime = s.mtime = s.seen_at = heard;
  s.why = "was reported";
  return s;
}

namespace {

/// After a calendar that was set back nothing waits for the old time to come
/// again, and nothing seems to be from later. What counts no more goes.
void draw_in(state& s, const situation& x) {
  auto most = [&](millis base, std::uint32_t count) {
    return x.now + backoff(base, std::max(base, x.limits.retry_max), count + 1);
  };
  s.plan_due = std::min(s.plan_due, most(plan_pause, s.held));
  for (auto& w : s.open)
    w.due = std::min(w.due, most(std::max(plan_pause, x.limits.retry_base),
                                 std::max({s.held, s.tries, w.refusals})));
  for (auto* t : {&s.ctime, &s.begun, &s.mtime, &s.given_up, &s.mark_seen})
    *t = std::min(*t, x.now);
  if (s.planned_at > x.now)
    s.planned_at = never;
  s.changed = std::min(s.changed, x.now);
  if (s.seen_at > x.now)
    s.seen_at = never; // a report of then is none of now
  s.stalled = std::min(s.stalled, x.now);
  for (auto& [name, was] : s.left)
    was.at = std::min(was.at, x.now);
  std::erase_if(s.left, [&](const auto& was) {
    return x.now - was.second.at >= torn_within;
  });
}

} // namespace

verdict step(const state& s, const event& e, const event_facts& seen,
             const rules& r, instant now) {
  verdict v;
  v.next = s;
  if (s.phase == event_phase::forgotten) {
    if (const auto* order = std::get_if<ordered>(&e))
      maintenance::take(v, *order, {seen, r, now});
    return v;
  }
  situation x{seen, r, now};
  draw_in(v.next, x);
  std::visit([&](const auto& what) { take(v, what, x); }, e);
  v.next.willing = unwilling(v.next, x).empty();
  return v;
}

namespace {

/// Its memory is older than what became of it.
void take_older(verdict& v, instant now) {
  auto& s = v.next;
  s.sent = std::max(s.sent, static_cast<std::uint64_t>(to_ms(now) / 1000));
  // Its job can be asked for if that memory knows its number.
  auto is_followed
    = std::any_of(s.open.begin(), s.open.end(), [](const work& w) {
        return w.kind == work_kind::command && w.job != 0;
      });
  auto commands = s.action == event_action::live_repair
                  && (s.phase == event_phase::noted
                      || (s.phase == event_phase::repairing && !is_followed));
  if (commands)
    fail(v, {{}, {}, now},
         fmt::format("{} whether its command was run since: look at the node, "
                     "and remove the tag",
                     s.mtime > now
                       ? "an older journal was put back once, the calendar was "
                         "set back as well, and nobody knows"
                       : "the journal is an older one, and does not know"));
}

} // namespace

verdict resume(const state& s, instant now, instant adopted, bool aged) {
  verdict v;
  v.next = s;
  if (aged)
    v.next.seen_at = never;
  // By a calendar that was set back it may seem to be from later.
  if (adopted != never && (s.mtime <= adopted || s.mtime > now))
    take_older(v, now);
  // Whoever takes its mark away while nobody looks means all that is known.
  if (s.marked || s.put_out)
    v.next.mark_seen = now;
  auto& open = v.next.open;
  // What was not sent is decided anew.
  std::erase_if(open,
                [](const work& w) { return w.stage != work_stage::sent; });
  for (auto& w : open) {
    w.due = now;
    v.actions.emplace_back(submit{w.intent, {}, {}, false, {}});
    // What is under way takes its place before anything new gets one.
    if (auto q = permit_of(v.next, w.intent)) {
      q->resumed = true;
      v.actions.emplace_back(*std::move(q));
    }
    if (w.withdrawn)
      v.actions.emplace_back(withdraw{w.intent});
  }
  return v;
}

instant due_at(const state& s) {
  auto first = never;
  auto take = [&first](instant t) {
    if (t != never && (first == never || t < first))
      first = t;
  };
  for (const auto& w : s.open)
    if (w.stage == work_stage::waiting)
      take(w.due);
  if (s.phase == event_phase::evacuating && !s.planning)
    take(s.plan_due);
  return first;
}

std::string objection(const state& s, const intent_id& intent,
                      const event_facts& seen, const rules& r, instant now) {
  situation x{seen, r, now};
  for (const auto& w : s.open)
    if (w.intent == intent)
      return w.withdrawn ? std::string{"it was called back"} : against(s, w, x);
  return "nobody asks for it any more";
}

event_standing standing_of(const state& s) {
  event_standing x;
  x.uuid = s.uuid;
  x.node = s.node;
  x.node_uuid = s.node_uuid;
  x.action = s.action;
  x.original = s.original;
  x.identity = s.identity;
  x.phase = s.phase;
  x.jobs = s.jobs;
  x.tag = s.tag;
  x.ctime = s.ctime;
  x.mtime = s.mtime;
  x.serial_no = s.serial_no;
  x.observed = s.absent == 0;
  x.ripe = s.ripe && s.phase == event_phase::noted;
  x.willing = s.willing && s.phase == event_phase::noted;
  x.commands = std::any_of(s.open.begin(), s.open.end(), [](const work& w) {
    return w.kind == work_kind::command && w.stage == work_stage::sent;
  });
  x.late = std::any_of(s.open.begin(), s.open.end(), [](const work& w) {
    return w.stage == work_stage::sent && w.overdue;
  });
  x.begun = s.begun;
  x.given_up = s.given_up;
  x.blocked = s.blocked;
  x.left = s.left;
  for (const auto& w : s.open)
    x.open.push_back(w.intent);
  x.why = s.why;
  return x;
}

std::string event_of_tag(const std::string& tag) {
  for (auto start : {ready_tag, failed_tag})
    if (tag.starts_with(start))
      return tag.substr(start.size());
  return {};
}

object_id owner_of(const state& s, const work& w) {
  return "event:" + s.uuid + (w.instance.empty() ? "" : ":" + w.instance);
}

} // namespace orderly::maintenance
