// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Reads timelines of host HA, runs them and judges them. Shape (times in
// seconds, counted from 0):
//   settings  overrides of the seed's defaults
//   given     state, since, counters
//   inputs    what the outside answers from the beginning
//   script    [{at, set: {input: value}} or {at, do: "restart"}]
//   run_until the last second
//   expect    transitions, operations, events, alerts, final

#pragma once

#include "sim/timelines/host.hpp"

namespace orderly::sim::timelines {

/// What was expected of one key of `expect`, and what was seen.
struct mismatch {
  std::string what;
  json expected;
  json got;
};

/// Plays one timeline; empty: all is as expected. With a profile of `core` or
/// `seed-literal` events of ours (X.*) are not compared. Throws
/// std::invalid_argument or json::exception if it cannot be played.
std::vector<mismatch> play(const json& scenario);

/// Judges waits before the n-th activity check: [{base, cap, n, seconds}].
std::vector<mismatch> judge_backoff(const json& cases);

/// Judges what others are told of a host: [{state, host, vm_alive}].
std::vector<mismatch> judge_views(const json& cases);

// --- restarts.cpp
/// Judges what a starting daemon does: [{state, dispatched, power, action}].
std::vector<mismatch> judge_restarts(const json& cases);

} // namespace orderly::sim::timelines
