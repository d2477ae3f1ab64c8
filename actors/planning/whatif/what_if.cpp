// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/what_if.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

bool all_well(const std::vector<group_state>& groups) {
  return std::all_of(groups.begin(), groups.end(),
                     [](const group_state& g) { return g.is_well(); });
}

verdict verdict_of(const what_if_answer& x) {
  if (!x.lost_instances.empty() || !x.stuck.empty() || !x.unplaced.empty()
      || !all_well(x.after))
    return verdict::not_well;
  return x.steps.empty() ? verdict::well : verdict::after_moves;
}

} // namespace

result<what_if_answer> what_if(const cluster& c, const change_set& x,
                               const build_options& build) {
  auto changed = apply(c, x);
  if (!changed)
    return changed.why();
  what_if_answer r;
  r.before = states_of(c, build);
  r.lost_instances = changed->lost_instances;
  r.added = changed->added;
  r.is_emptied = changed->is_emptied;
  remedy rest{std::move(*changed), build};
  rest.run();
  r.stuck = rest.stuck();
  r.unplaced = rest.unplaced();
  r.created = rest.created();
  r.steps = rest.steps();
  r.now = rest.now();
  r.after = states_of(r.now, build);
  r.moved = traffic_of(r.now, r.steps);
  r.is = verdict_of(r);
  return r;
}

bool has_room_for_all(const what_if_answer& x) {
  auto only_room
    = [](const stuck_instance& s) { return s.kind == stuck_kind::no_room; };
  return x.unplaced.empty() && all_well(x.after)
         && std::none_of(x.stuck.begin(), x.stuck.end(), only_room);
}

} // namespace orderly::planning
