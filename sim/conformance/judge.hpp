// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Compares what a tool did with what its scenario expects. A key that is not
// understood is a failure: nothing is passed over in silence.

#pragma once

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
};

/// The tags of all objects, as far as scenarios compare them.
std::map<std::string, std::vector<std::string>>
comparable_tags(const cluster_record& x);

/// A key of `expect` that is none of these is a failure.
void refuse_others(const json& expect, const std::set<std::string>& known,
                   std::vector<difference>& into);

std::vector<difference> judge(const json& expect, const outcome& got);

} // namespace orderly::sim::conformance
