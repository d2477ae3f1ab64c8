// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Reads timelines of host HA, runs them and judges them. Shape (times in
// seconds, counted from 0):
//   hosts     how many equal ones, 1 if it is not said
//   settings  overrides of the seed's defaults
//   given     state, since, counters
//   inputs    what the outside answers from the beginning
//   script    [{at, set: {input: value}, host} or {at, do: "restart"}]
//   run_until the last second
//   expect    transitions, operations, events, alerts, final; of several
//             hosts how many of each there were in which second

#pragma once

#include "sim/timelines/fleet.hpp"
#include "sim/timelines/script.hpp"

#include <memory>

namespace orderly::sim::timelines {

/// What was expected of one key of `expect`, and what was seen.
struct mismatch {
  std::string what;
  json expected;
  json got;
};

/// Plays one timeline to its end. Throws as `watch` does.
std::unique_ptr<fleet> run(const json& scenario);

/// What was seen of one host.
struct onlooker {
  const chronicle& seen;
  json end; ///< as `final`
  int health_checks = 0;
};

/// Under every key that `expect` may have.
json seen_of(const std::vector<onlooker>& hosts, int refused);
json seen_of(const fleet& all);

/// Without events of ours (X.*), unless the profile of the timeline is
/// `recommended`.
json heard_in(const json& scenario, json seen);

/// Plays one timeline: what was seen, under every key that `expect` may have,
/// as `heard_in` has it. Throws std::invalid_argument or json::exception if it
/// cannot be played.
json watch(const json& scenario);

/// Holds what was seen against what is expected; empty: all is as expected.
std::vector<mismatch> compare(const json& scenario, const json& seen);

/// Plays one timeline; empty: all is as expected. With a profile of `core` or
/// `seed-literal` events of ours (X.*) are not compared. Throws
/// std::invalid_argument or json::exception if it cannot be played.
std::vector<mismatch> play(const json& scenario);

/// Judges waits before the n-th activity check: [{base, cap, n, seconds}].
std::vector<mismatch> judge_backoff(const json& cases);

/// Judges what others are told of a host: [{state, host, vm_alive}].
std::vector<mismatch> judge_views(const json& cases);

// --- storages.cpp
/// Judges what one shared storage says of a host: [{now, heartbeat, volumes,
/// suspect, last, answer}], times in seconds, null: not there, or not to be
/// read.
std::vector<mismatch> judge_nfs(const json& cases);

/// Judges what several say together: [{pools, answer}].
std::vector<mismatch> judge_pools(const json& cases);

// --- rules.cpp
/// Judges what checks mean: [{daemon, monitor, healthy}], replies `good`,
/// `bad`, `refused`, `silent` or `untried`; null: nobody knows.
std::vector<mismatch> judge_health_cases(const json& cases);

/// Judges who is asked about a host: [{subject, nodes, asked}].
std::vector<mismatch> judge_neighbours(const json& cases);

/// Judges switches: [{zone, cluster, host, provider, treated}]; null and empty
/// are unset.
std::vector<mismatch> judge_hierarchy(const json& cases);

// --- restarts.cpp
/// Judges what a starting daemon does: [{state, dispatched, power, action}].
std::vector<mismatch> judge_restarts(const json& cases);

} // namespace orderly::sim::timelines
