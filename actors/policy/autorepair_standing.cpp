// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What people are told about an instance: its phase, why, what may be done
// to it, and what would have to happen next.

#include "actors/policy/autorepair_moves.hpp"
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
                     describe(may));
}

std::string job_text(const state& s) {
  auto what = s.ops.empty() ? std::string{"nothing"} : describe(s.ops.front());
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

} // namespace

instance_standing standing(const state& s, const facts& seen, instant now) {
  auto all = tags_on(s, seen);
  auto tags = read_tags(all, now);
  auto wants = needed(seen);
  auto may = permission_of(seen.instance.name, all, seen.group, seen.group_tags,
                           seen.cluster_tags, now);
  instance_standing r;
  r.instance = seen.instance.name;
  r.phase = to_string(s.phase);
  r.why = s.why.empty() ? wants.why : s.why;
  if (r.why.empty())
    r.why = "its nodes are in service";
  for (const auto& text : tags.unusable)
    r.why
      += fmt::format("; tag {} is ignored: its id is empty or too long", text);
  r.permission = describe(may);
  r.incident = s.repair;
  r.primary = seen.instance.primary;
  switch (s.stage) {
  case stage::tagging:
  case stage::noting:
  case stage::repairing:
    r.waits_for = job_text(s);
    break;
  case stage::permitting:
    r.waits_for = s.why;
    break;
  case stage::idle:
    r.waits_for = idle_waits_for(s, seen, wants, may, tags, now);
    break;
  }
  return r;
}

} // namespace orderly::autorepair
