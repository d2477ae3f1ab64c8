// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A hunt: seeds of a swarm played one after the other, each as it was drawn
// and then again with one fault more, which comes in a state in which that
// sort of fault was met least. What a hunt knows is kept as text, so that the
// next one goes on from there. Programs decide how long, and in how many
// processes.

#pragma once

#include "sim/swarm/swarm.hpp"

namespace orderly::sim {

/// What is kept between hunts.
struct hunt_state {
  std::uint64_t next_seed = 1;
  std::uint64_t runs = 0;
  std::map<std::string, std::uint64_t> found; ///< by law
  coverage met;

  friend bool operator==(const hunt_state&, const hunt_state&) = default;
};

std::string write_state(const hunt_state& x);

/// The fault names the line that cannot be read.
result<hunt_state> read_state(const std::string& text);

/// Counts what a run met.
void count(coverage& all, const std::set<state_and_fault>& met);

/// The run with one fault more, of the sort and in the state that `met` has
/// least of those that are possible; `seen` is what the run itself was. The
/// same `number` gives the same. nullopt: there is nothing to choose from.
std::optional<swarm_run> vary(const swarm_run& run, const drill_outcome& seen,
                              const coverage& met, millis faults_for,
                              std::uint64_t number);

/// Pairs that are possible and that `met` has not, as a page for people: a
/// line for each sort of fault, with the states it never met.
std::string never_met(const coverage& met);

} // namespace orderly::sim
