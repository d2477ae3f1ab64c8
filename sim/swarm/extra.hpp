// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Stories that a swarm draws in addition, in a part of its runs. To plug one
// in, write a `draw_...` of the form below in a file of its own and add a row
// to `extra_stories` in swarm/extra.cpp. It throws dice of its own, named like
// the row, so that no other draw of any seed shifts.

#pragma once

#include "sim/swarm/power.hpp"

#include <string>
#include <utility>
#include <vector>

namespace orderly::sim {

/// Settings, as key and value, and events that belong to them.
struct story_part {
  std::vector<std::pair<std::string, std::string>> sets;
  std::vector<later_event> events;
};

struct extra_story {
  const char* name;
  std::uint32_t one_in; ///< in one of so many seeds
  /// Times are after the start of the run and not after `faults_for`; what
  /// goes wrong is made good again by then.
  std::vector<later_event> (*draw)(dice& d, const world_plan& plan,
                                   millis faults_for);
};

const std::vector<extra_story>& extra_stories();

/// What all rows draw for a seed, by the rows' order.
std::vector<later_event> draw_extra(std::uint64_t seed, const world_plan& plan,
                                    millis faults_for);

/// Persons who pause orderly, take mastership away and bring it back, mark
/// living nodes offline, take nodes back in the middle of their treatment or
/// order power then; and disks and query daemons that fail just then.
std::vector<later_event> draw_persons(dice& d, const world_plan& plan,
                                      millis faults_for);

/// Around the nodes: links, informers, controllers that are wired wrongly, a
/// luxid that stalls, jobs lost with their master, clocks, the journal's file,
/// members that come and go.
std::vector<later_event> draw_world(dice& d, const world_plan& plan,
                                    millis faults_for);

/// The machine that orderly runs on starts anew, once or twice, by a calendar
/// that may have been set over that and may be mended soon; beside a node that
/// is in trouble by then.
std::vector<later_event> draw_reboot(dice& d, const world_plan& plan,
                                     millis faults_for);

/// Around balancing: it is on in a part of the runs, and persons move instances
/// beside it. Empty where it stays off. Has dice of its own.
story_part draw_balance(std::uint64_t seed, const world_plan& plan,
                        millis faults_for);

/// Around repair events: in a part of the runs orderly acts on what nodes
/// report, and some ask to be emptied or repaired, fall silent in the middle,
/// or take it back. Empty where nothing is reported. Has dice of its own.
story_part draw_reports(std::uint64_t seed, const world_plan& plan,
                        millis faults_for);

} // namespace orderly::sim
