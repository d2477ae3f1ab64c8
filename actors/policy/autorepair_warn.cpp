// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a person must hear of an instance that waits: nobody else can help it.

#include "actors/policy/autorepair_moves.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

/// Longer than a job of Ganeti's takes that gets anywhere.
constexpr millis patience = minutes{30};

/// It is down, and may be started elsewhere.
bool may_start_elsewhere(const situation& x) {
  return x.wants.type && *x.wants.type >= tags::repair_type::failover
         && acts(x.limits) && may_be_repaired(x.tags, x.may, *x.wants.type);
}

/// The one copy that is left is faulty.
void warn_of_copy(verdict& v, const situation& x) {
  auto hinders = x.wants.copy_hinders && acts(x.limits)
                 && may_be_repaired(x.tags, x.may, tags::repair_type::failover);
  if (hinders && !v.next.copy_told)
    v.actions.emplace_back(
      tell{"A.COPY_FAULTY", fmt::format("Instance {} waits for a person: {}",
                                        x.seen.instance.name, x.wants.why)});
  v.next.copy_told = hinders;
}

/// It is down, and no place is found for it.
void warn_of_room(verdict& v, const situation& x) {
  auto& s = v.next;
  if ((s.room_tries == 0 && !s.wants_room) || !may_start_elsewhere(x)) {
    s.roomless_since = never;
    s.roomless_told = false;
    return;
  }
  if (s.roomless_since == never)
    s.roomless_since = x.now;
  if (s.roomless_told || x.now - s.roomless_since < patience)
    return;
  s.roomless_told = true;
  v.actions.emplace_back(tell{
    "A.NO_ROOM",
    fmt::format("Instance {} has found no place for {} min: {}. It is "
                "tried again with growing pauses; make room on a node of "
                "its group, or bring its home back",
                x.seen.instance.name, (x.now - s.roomless_since) / minutes{1},
                s.last_text.empty() ? s.why : s.last_text)});
}

/// It is down, and a job of somebody's has it that does not end: perhaps its
/// process died with the node.
void warn_of_job(verdict& v, const situation& x) {
  auto waits = x.seen.foreign_job && may_start_elsewhere(x);
  auto id = waits ? *x.seen.foreign_job : job_id{0};
  auto& s = v.next;
  if (s.foreign != id) {
    s.foreign = id;
    s.foreign_since = waits ? x.now : never;
    s.foreign_told = false;
  }
  if (!waits || s.foreign_told || x.now - s.foreign_since < patience)
    return;
  s.foreign_told = true;
  auto ours = std::find(s.jobs.begin(), s.jobs.end(), id) != s.jobs.end();
  v.actions.emplace_back(
    tell{"A.FOREIGN_JOB",
         fmt::format(
           "Instance {0} waits for job {1}, which {2}, for {3} min: {4}. "
           "Look whether that job still lives (gnt-job info {1}); cancel "
           "or archive it, and {5}",
           x.seen.instance.name, id, ours ? "we have given up" : "is not ours",
           (x.now - s.foreign_since) / minutes{1}, x.wants.why,
           ours ? "the end of its repair is written" : "the repair goes on")});
}

} // namespace

verdict decide_and_warn(const state& s, const situation& x) {
  auto v = decide(s, x);
  warn_of_copy(v, x);
  warn_of_room(v, x);
  warn_of_job(v, x);
  return v;
}

} // namespace orderly::autorepair
