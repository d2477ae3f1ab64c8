// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What people are told about an instance: its phase, why, what may be done
// to it, and what would have to happen next.

#include "actors/policy/autorepair_moves.hpp"
#include "actors/policy/tag_oddities.hpp"
#include "actors/policy/utc.hpp"

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

/// What must be added where, and what must go, for `type` to be allowed:
/// within one object the least destructive type wins.
std::string stronger(tags::repair_type type, const facts& seen,
                     const permission& may) {
  return fmt::format("add tag {}{} to instance {}, and remove weaker ones "
                     "there: {}",
                     tags::prefix, tags::to_string(type), seen.instance.name,
                     orderly::describe(may));
}

std::string job_text(const state& s) {
  auto what = describe(s.ops);
  if (s.job == 0)
    return "the job: " + what;
  return fmt::format("job {}: {}", s.job, what);
}

std::string idle_waits_for(const state& s, const facts& seen, const need& wants,
                           const permission& may, const tag_record& tags,
                           instant now) {
  if (!tags.failures.empty())
    return fmt::format("a person to look into it and to remove tag {}",
                       tags.failures.front().text);
  if (may.held)
    return "the end of: " + may.source;
  if (may.what == permission::verdict::suspended)
    return may.until ? "the end of the suspension at " + utc_text(*may.until)
                     : "the removal of " + may.source;
  if (s.phase != phase::failed && !wants.broken && tags.queue.empty())
    return {};
  if (tags.queue.empty() && wants.type && s.phase != phase::failed) {
    if (may.what == permission::verdict::not_enabled)
      return tag_to_add(*wants.type, seen);
    if (may.up_to < *wants.type)
      return stronger(*wants.type, seen, may);
  }
  if (now < s.due)
    return fmt::format("{}; tries again at {}", s.why, utc_text(s.due));
  return s.why;
}

/// Another reinstall holds the node: it does so until its job has ended, and a
/// single pass does not wait for that. Its tag tells what is to be done.
bool leaves_to_next_pass(const state& s) {
  return s.taken && s.act == act_kind::reinstall && s.phase == phase::pending
         && !s.untagged;
}

/// Nothing goes on that a single pass over the cluster would wait for.
bool is_settled(const state& s, const facts& seen, const rules& limits) {
  if (s.stage == stage::repairing)
    return limits.single_pass && s.job != 0 && s.note.empty();
  if (s.stage != stage::idle || !s.note.empty() || (s.wants_room && !seen.room)
      || !s.written.empty() || is_older(seen, s.moved)
      || is_older(seen, s.noted))
    return false;
  for (auto id : s.asked)
    if (seen.jobs.count(id) == 0)
      return false;
  return s.due == never || !s.turned_away
         || (limits.single_pass && leaves_to_next_pass(s));
}

/// The parts of it, for programs.
void tell_more(instance_standing& r, const state& s, const facts& seen,
               const need& wants, const permission& may, const rules& limits) {
  r.broken = wants.broken;
  r.wrong = wants.broken ? wants.why : std::string{};
  if (wants.type)
    r.needed = tags::to_string(*wants.type);
  switch (may.what) {
  case permission::verdict::not_enabled:
    r.allowed = "none";
    break;
  case permission::verdict::suspended:
    r.allowed = "suspended";
    break;
  case permission::verdict::enabled:
    r.allowed = tags::to_string(may.up_to);
    break;
  }
  r.permitted_by = may.source;
  if (auto p = plan_for(s, seen, limits))
    r.next = describe(p->ops);
  r.remarks = oddities(seen.instance.tags, "instance " + seen.instance.name);
  for (auto& text : oddities(seen.group_tags, "group " + seen.group))
    r.remarks.push_back(std::move(text));
  for (auto& text : oddities(seen.cluster_tags, "cluster"))
    r.remarks.push_back(std::move(text));
  if (s.phase == phase::pending || s.stage != stage::idle)
    r.jobs = s.jobs;
  r.settled = is_settled(s, seen, limits);
}

} // namespace

bool wants_picture(const state& s, const facts& seen) {
  auto unwritten = s.phase == phase::failed && !s.repair.empty();
  return is_under_way(s) || s.phase == phase::pending || unwritten
         || !s.written.empty() || is_older(seen, s.moved)
         || is_older(seen, s.noted);
}

instance_standing standing(const state& s, const facts& seen,
                           const rules& limits, instant now) {
  auto all = tags_on(s, seen);
  auto tags = read_tags(all, now);
  auto wants = needed(seen);
  auto may = permission_in(seen, all, now);
  instance_standing r;
  r.instance = seen.instance.name;
  r.phase = to_string(s.phase);
  r.why = s.why.empty() ? wants.why : s.why;
  if (r.why.empty())
    r.why = "its nodes are in service";
  r.permission = orderly::describe(may);
  r.incident = s.repair;
  r.primary = seen.instance.primary;
  switch (s.stage) {
  case stage::tagging:
  case stage::noting:
  case stage::repairing:
    r.waits_for = s.halted ? s.why : job_text(s);
    break;
  case stage::permitting:
    r.waits_for = s.why;
    break;
  case stage::idle:
    r.waits_for = idle_waits_for(s, seen, wants, may, tags, now);
    break;
  }
  tell_more(r, s, seen, wants, may, limits);
  return r;
}

} // namespace orderly::autorepair
