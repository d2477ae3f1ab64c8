// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a person must hear of an instance that waits: nobody else can help it.

#include "actors/policy/repair/moves.hpp"
#include "messages/codes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

/// Longer than a job of Ganeti's takes that gets anywhere.
constexpr millis patience = minutes{30};

/// The tags permit it, or did before a repair began that allows less.
bool tags_permit(const situation& x, tags::repair_type type) {
  auto policy
    = x.may.what == permission::verdict::enabled && x.may.up_to >= type;
  return may_be_repaired(x.tags, x.may, type)
         || (policy && x.tags.failures.empty());
}

bool would_permit(const situation& x, tags::repair_type type) {
  return acts(x.limits) && tags_permit(x, type);
}

/// It is down, and may be started elsewhere.
bool may_start_elsewhere(const situation& x) {
  return x.wants.type && *x.wants.type >= tags::repair_type::failover
         && would_permit(x, *x.wants.type);
}

/// The one copy that is left is faulty. Whoever only observes tells as well:
/// there is no other way to come to know of it.
void warn_of_copy(verdict& v, const situation& x) {
  auto hinders
    = x.wants.copy_hinders && tags_permit(x, tags::repair_type::failover);
  if (hinders && !v.next.copy_told)
    v.actions.emplace_back(
      tell{codes::copy_faulty, fmt::format("Instance {} waits for a person: {}",
                                           x.seen.instance.name, x.wants.why)});
  v.next.copy_told = hinders;
}

/// No node has room, or none is in service.
bool lacks_room(const state& s, const situation& x) {
  if (s.turned_away)
    return false; // it is a permit that it waits for
  auto todo = plan_for(s, x.seen, x.limits);
  return s.room_tries != 0 || s.wants_room
         || (todo
             && obstacle_to(*todo, x.seen, x.limits, x.now).kind
                  == obstacle_kind::room);
}

/// It is down, and no place is found for it.
void warn_of_room(verdict& v, const situation& x) {
  auto& s = v.next;
  if (!may_start_elsewhere(x) || !lacks_room(s, x)) {
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

/// The job for which its repair waits; 0: none.
job_id awaited(const state& s, const facts& seen) {
  if (seen.foreign_job)
    return *seen.foreign_job;
  for (auto id : s.asked)
    if (auto i = seen.jobs.find(id);
        i != seen.jobs.end() && !is_final(i->second.status))
      return id;
  return 0;
}

/// It is down, and a job of somebody's has it that does not end: perhaps its
/// process died with the node.
void warn_of_job(verdict& v, const situation& x) {
  auto& s = v.next;
  auto id = may_start_elsewhere(x) ? awaited(s, x.seen) : job_id{0};
  auto waits = id != 0;
  if (s.foreign != id) {
    s.foreign = id;
    s.foreign_since = waits ? x.now : never;
    s.foreign_told = false;
  }
  if (!waits || s.foreign_told || x.now - s.foreign_since < patience)
    return;
  s.foreign_told = true;
  auto given_up = std::find(s.jobs.begin(), s.jobs.end(), id) != s.jobs.end();
  auto known = x.seen.foreign_is_known;
  v.actions.emplace_back(tell{
    codes::foreign_job,
    fmt::format("Instance {0} waits for job {1}, which {2}, for {3} min: {4}. "
                "Look whether that job still lives (gnt-job info {1}); cancel "
                "or archive it, and {5}",
                x.seen.instance.name, id,
                given_up ? "we have given up"
                : known  ? "orderly sent for something else"
                         : "is not ours",
                (x.now - s.foreign_since) / minutes{1}, x.wants.why,
                given_up ? "the end of its repair is written"
                         : "the repair goes on")});
}

/// What a reinstallation has done to the instance by now, if it goes no
/// further; a clause, or empty.
std::string half_done(const state& s, const situation& x) {
  if (was_cut(s, x))
    return "its disks may be new and empty: reinstall or restore it";
  if (s.wanted_up && x.seen.instance.admin == admin_state::down)
    return fmt::format("it was shut down by that, and nobody starts it any "
                       "more: gnt-instance startup {}",
                       x.seen.instance.name);
  return {};
}

/// A person's tags have ended its repair, which knew what it had done; one that
/// fails says so itself.
void warn_of_half(verdict& v, const state& before, const situation& x) {
  auto left = half_done(before, x);
  auto forgets = half_done(v.next, x).empty();
  // The next reinstallation starts it, if there is one.
  auto ended
    = !before.repair.empty() && v.next.repair.empty() && !wants_reinstall(x);
  if (left.empty() || !acts(x.limits) || before.phase == phase::failed
      || before.half_told || (!forgets && !ended))
    return;
  v.next.half_told = !forgets;
  v.actions.emplace_back(
    tell{"A.HALF_DONE",
         fmt::format("The reinstallation of instance {} was ended half way, "
                     "because its tags were changed: {}",
                     x.seen.instance.name, left)});
}

} // namespace

verdict decide_and_warn(const state& s, const situation& x) {
  auto v = decide(s, x);
  warn_of_half(v, s, x);
  warn_of_copy(v, x);
  warn_of_room(v, x);
  warn_of_job(v, x);
  return v;
}

} // namespace orderly::autorepair
