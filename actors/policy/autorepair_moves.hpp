// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The moves that the autorepair machine is made of: staying put, sending a
// job, ending a repair. Each takes the state as it is so far and gives the
// whole answer. Used by the machine's own files only.

#pragma once

#include "actors/policy/autorepair.hpp"
#include "actors/policy/autorepair_plan.hpp"
#include "actors/policy/autorepair_record.hpp"

namespace orderly::autorepair {

/// What a decision is made from, worked out once.
struct situation {
  const facts& seen;
  const rules& limits;
  instant now;
  incident_id fresh; ///< empty: no new repair can start now
  tag_record tags;
  need wants;
  permission may;
};

situation situation_of(const state& s, const facts& seen, incident_id fresh,
                       const rules& r, instant now);

/// Nothing is started: in that phase, for that reason.
verdict rest(state s, phase p, std::string why);

/// Why nothing may be started just now; empty if something may. `would` is
/// what is told if auto-repair is switched off.
std::string held(const state& s, const situation& x, const std::string& would);

/// Tags that have had their day, apart from those that a move replaces.
std::vector<std::string> leftovers(const situation& x);

/// One job that first adds, then removes tags. `base` starts its intent.
verdict send_tags(state s, const situation& x, const incident_id& base,
                  std::vector<std::string> set, std::vector<std::string> del,
                  std::string why);

/// Why the step that was asked for may not be taken after all, or empty.
std::string objection(const state& s, const situation& x);

/// The current repair ends as a failure; sticks until that is written.
verdict fail(state s, const situation& x, std::string why);

/// Forgets the current repair, except its id.
void close(state& s);

/// Fills in `why` if there is news since `before`.
verdict finish(const state& before, verdict v);

/// Decides in stage idle, from a picture that is new enough.
verdict decide(const state& s, const situation& x);

} // namespace orderly::autorepair
