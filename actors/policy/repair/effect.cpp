// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a step did, as the readings from after it show, and what one that did
// not end well may have left.

#include "actors/policy/repair/moves.hpp"

namespace orderly::autorepair {

namespace {

bool is_move(act_kind x) {
  return x == act_kind::failover || x == act_kind::migrate
         || x == act_kind::reinstall;
}

} // namespace

bool wants_reinstall(const situation& x) {
  return x.wants.type == tags::repair_type::reinstall
         && x.may.what == permission::verdict::enabled
         && x.may.up_to >= tags::repair_type::reinstall;
}

void step_is_done(state& s) {
  s.from.clear();
  s.onto.clear();
  s.tries = s.tries_before = 0;
  s.last_failed = s.failed_at_home = false;
}

bool is_long_ago(const state& s, const situation& x) {
  return is_move(s.act) && !s.last_failed && s.moved != never
         && s.tries + 1 < x.limits.tries_max
         && x.limits.picture_max_age > millis{0}
         && x.seen.read_at - s.moved > x.limits.picture_max_age;
}

void see_effect(state& s, const situation& x) {
  if (s.stage != stage::idle || s.moved == never || is_older(x.seen, s.moved))
    return;
  if (is_move(s.act) && !s.from.empty() && x.seen.instance.primary != s.from)
    step_is_done(s);
  // Parts of one reading may be from before the job's end.
  if (s.left.empty() || x.seen.instance.primary != s.left)
    s.left_seen = never;
  else if (s.left_seen == never)
    s.left_seen = x.seen.read_at;
  else if (s.left_seen != x.seen.read_at)
    s.left.clear();
}

bool was_cut(const state& s, const situation& x) {
  return s.cut || (!s.left.empty() && x.seen.instance.primary != s.left);
}

verdict cut_short(state s, const situation& x) {
  return fail_once_free(std::move(s), x,
                        "its nodes are in service, but its reinstallation did "
                        "not end well: its disks may be new and empty");
}

} // namespace orderly::autorepair
