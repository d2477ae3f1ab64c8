// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is known of the copy on the home. A home whose own disk is broken, or is
// being written anew, writes to the mirror and reads from there: the mirror has
// the whole copy. It is not given up for a new one, which would be made from
// what the home has; the home's disk is mended first. Nor does that end because
// nobody can be asked any more, or because the instance goes to the mirror: a
// disk is no better for what its node is called.

#include "actors/policy/repair/copy.hpp"
#include "messages/disk_faults.hpp"

#include <algorithm>
#include <utility>

namespace orderly::autorepair {

void recall_home(const state& s, const mirror_news& heard, facts& seen) {
  const auto& home = seen.primary.name;
  const auto& mirror = seen.secondaries.front().name;
  const auto& before = s.home_fault;
  auto known = before.home == home && before.mirror == mirror;
  auto news = heard.asked && (!known || heard.at > before.last);
  auto faulty = news && is_of_these(s, heard.at) && !heard.fault.empty();
  if (faulty && lacks(heard.fault, home)) {
    seen.home_fault = known ? before
                            : home_trouble{home, mirror, to_string(heard.fault),
                                           heard.at, heard.at};
    seen.home_pending = heard.pending && !known;
    return;
  }
  auto whole = faulty || (news && heard.well);
  // Where nobody asks nobody would ever hear that our own job has mended it, or
  // that what was only concluded is over.
  auto mended = s.remade > before.last && !s.last_failed;
  auto over = !heard.asked && (mended || before.concluded);
  if (known && !whole && !over)
    seen.home_fault = before;
}

std::optional<state> in_new_roles(const state& s, const facts& seen) {
  const auto& home = seen.primary.name;
  const auto& mirror = seen.secondaries.front().name;
  const auto& poor = s.home_fault;
  auto left = poor.home == mirror && poor.mirror == home;
  auto entered = s.bad_copy == home && !s.copy_fault.empty()
                 && (s.copy_beside.empty() || s.copy_beside == mirror);
  if (!left && !entered)
    return std::nullopt;
  auto next = s;
  next.home_fault = {};
  if (entered)
    next.home_fault = {home,
                       mirror,
                       s.copy_fault,
                       s.copy_since,
                       std::max(s.copy_since, s.copy_last),
                       !s.copy_read};
  next.bad_copy = left ? mirror : node_name{};
  next.copy_beside = left ? home : node_name{};
  next.copy_fault = left ? poor.fault : std::string{};
  next.copy_since = left ? poor.since : never;
  next.copy_last = left ? poor.last : never;
  next.copy_read = left && !poor.concluded;
  next.unmade_from.clear(); // known by now, of whichever it is
  next.unmade_by = 0;
  return next;
}

} // namespace orderly::autorepair
