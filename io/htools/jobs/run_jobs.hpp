// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Carries a plan out: submits its sets of jobs over LUXI, one set after the
// other, and waits for each. It stops where a job does not succeed, for what
// follows counts on it. hbal -X runs it.
//
//     submit --ids--> wait --all succeeded--> next set, until none is left
//        |refused      |any did not, or nobody answers      |stop wanted
//        +-------------+------------> end, and say which ---+

#pragma once

#include "io/htools/jobs/stop_signals.hpp"
#include "io/htools/options/options.hpp"

#include <chrono>
#include <cstdio>

namespace orderly::io::htools {

/// A move as Ganeti runs it, or what is done to nodes.
struct move_job {
  std::string instance; ///< or whatever the job is about
  std::string opcodes;  ///< a JSON list
};

using move_set = std::vector<move_job>;

/// What each opcode of a tool says beside its own: priority and reason of `o`,
/// and `purpose` as its comment.
std::string job_meta(tool of, const std::string& purpose,
                     const tool_options& o);

/// One job that does all these steps of an instance, with `meta` in each
/// opcode.
move_job job_of(const planning::placement& p,
                const std::vector<planning::step>& steps,
                const std::string& meta);

/// The jobs of the sets of steps, with `meta` in each opcode.
std::vector<move_set> move_sets(
  const planning::placement& p, const std::vector<planning::step>& steps,
  const std::vector<std::vector<std::size_t>>& sets, const std::string& meta);

/// What the run needs of the world, and tells it.
struct run_watch {
  std::function<bool()> is_stop_wanted; ///< asked between two sets
  std::function<void(std::chrono::milliseconds)> pause;
  std::function<void(const std::string&)> say; ///< a line, with its end
  std::chrono::seconds patience{60};           ///< with each question
  std::chrono::hours longest_set{24};
  std::string about = "instances "; ///< before the names of what a set is about
};

/// A run that tells `to`, sleeps between its questions, and stops for
/// `signals`, which must outlive it.
run_watch watch_on(std::FILE* to, const stop_signals& signals);

/// Empty, or why not all has been done. `socket` as --luxi gives it.
std::string run_sets(const std::string& socket,
                     const std::vector<move_set>& sets, const run_watch& watch);

} // namespace orderly::io::htools
