// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Compares what a tool did with what its scenario expects. A key that is not
// understood is a failure: nothing is passed over in silence.

#pragma once

#include "sim/conformance/match.hpp"
#include "sim/conformance/stage.hpp"

namespace orderly::sim::conformance {

/// A difference, for people.
struct difference {
  std::string what; ///< `exit`, `tags instance:i1`, `jobs`, ...
  std::string expected;
  std::string got;
};

/// A scenario, not what it says, is wrong at `what`.
inline difference trouble(const std::string& what, const std::string& why) {
  return {what, "a scenario that can be played", why};
}

/// Everything that can be compared, gathered after the last run.
struct outcome {
  played runs;
  std::vector<sent_job> jobs;
  std::map<std::string, std::vector<std::string>> tags; ///< by object
  std::set<std::string> old_ids; ///< UUIDs that were there before
  // of the maintenance daemon
  std::vector<json> incidents; ///< kept, in order of keeping
  std::vector<json> http;      ///< answers, in order
  const cluster_record* record = nullptr;
};

/// The tags of all objects, as far as scenarios compare them.
std::map<std::string, std::vector<std::string>>
comparable_tags(const cluster_record& x);

/// A key of `expect` that is none of these is a failure.
void refuse_others(const json& expect, const std::set<std::string>& known,
                   std::vector<difference>& into);

std::vector<difference> judge(const json& expect, const outcome& got);

// --- incidents.cpp
/// Are these the kept incidents, with the blanks that jobs and tags filled?
bool pair_incidents(const json& expect, const outcome& got, blanks& with);

/// All else that is expected of the maintenance daemon.
void judge_events(const json& expect, const outcome& got,
                  std::vector<difference>& into);

/// The keys that these two understand.
const std::set<std::string>& event_keys();

/// The opcode has all that is wanted of it.
bool same_op(const json& wanted, const json& got);

} // namespace orderly::sim::conformance
