// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is known of the copy on the home. A home whose own disk is broken, or is
// being written anew, writes to the mirror and reads from there: the mirror has
// the whole copy. It is not given up for a new one, which would be made from
// what the home has; the home's disk is mended first. Nor does that end because
// nobody can be asked any more.

#include "actors/policy/repair/home.hpp"

#include "messages/disk_faults.hpp"

namespace orderly::autorepair {

void recall_home(const state& s, const mirror_news& heard, facts& seen) {
  const auto& home = seen.primary.name;
  const auto& mirror = seen.secondaries.front().name;
  const auto& before = s.home_fault;
  auto known = before.home == home && before.mirror == mirror;
  auto news = heard.asked && (!known || heard.at > before.since);
  // Heard before our last job it may be of another mirror.
  auto counts = s.moved == never || heard.at > s.moved;
  auto faulty = news && counts && !heard.fault.empty();
  if (faulty && lacks(heard.fault, home)) {
    seen.home_fault
      = known ? before
              : home_trouble{home, mirror, to_string(heard.fault), heard.at};
    seen.home_pending = heard.pending && !known;
    return;
  }
  auto whole = faulty || (news && heard.well);
  // Where nobody asks nobody would ever hear that our own job has mended it.
  auto mended = !heard.asked && s.moved > before.since && !s.last_failed;
  if (known && !whole && !mended)
    seen.home_fault = before;
}

void put_home(fields& f, const home_trouble& x) {
  if (x.empty())
    return;
  f.put("poor_home", x.home);
  f.put("poor_beside", x.mirror);
  f.put("poor_fault", x.fault);
  f.put("poor_since", x.since);
}

home_trouble home_from(const fields& f) {
  return {f.text("poor_home"), f.text("poor_beside"), f.text("poor_fault"),
          f.when("poor_since")};
}

} // namespace orderly::autorepair
