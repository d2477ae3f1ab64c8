// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the commands of hgroups tell, in sentences and as JSON: the same facts
// twice.

#pragma once

#include "actors/planning/groups/crossing.hpp"
#include "actors/planning/groups/emptying.hpp"
#include "actors/planning/groups/group_load.hpp"
#include "actors/planning/groups/group_report.hpp"
#include "actors/planning/groups/redistribution.hpp"
#include "io/htools/options/options.hpp"

#include <array>

namespace orderly::io::htools {

inline constexpr std::size_t barrier_kinds = 13;

/// How many instances of a group could go to another one, if crossing were
/// permitted, and how many each thing keeps out.
struct told_crossing {
  int from = -1;
  int to = -1;
  std::array<int, barrier_kinds> counts{}; ///< by barrier
};

/// Where one instance may be.
struct told_instance {
  int instance = -1;
  std::vector<planning::barrier> into; ///< of each group
  std::vector<std::vector<int>> nodes; ///< of each group
};

struct told_groups {
  const planning::cluster& c;
  planning::group_moves allowed = planning::group_moves::none;
  std::vector<planning::group_report> groups;
  std::vector<planning::storage_partition> partitions;
  std::vector<int> alone;
  std::vector<told_crossing> crossings;
  std::vector<told_instance> instances; ///< that were asked about
};

/// All of it, by the planner.
told_groups tell_groups(const planning::cluster& c,
                        const planning::build_options& build,
                        planning::group_moves allowed,
                        const std::vector<int>& instances);

std::string groups_text(const told_groups& x);
std::string groups_json(const told_groups& x);

/// What became of `hgroups empty`.
struct told_emptying {
  const planning::cluster& c;
  planning::group_moves allowed = planning::group_moves::none;
  whatif_choice link;
  std::vector<planning::emptying> verdicts; ///< one for each that was judged
  std::optional<std::size_t> chosen;        ///< whose plan is meant
  std::string why;                          ///< it is not reached; or empty
};

std::string emptying_text(const told_emptying& x, bool with_moves);
std::string emptying_json(const told_emptying& x);

/// What became of `hgroups redistribute`.
struct told_redistribution {
  const planning::cluster& c;
  planning::group_moves allowed = planning::group_moves::none;
  whatif_choice link;
  const planning::redistribution& answer;
};

/// The rest of a sentence; empty if it is reached.
std::string why_not_reached(const told_redistribution& x);

std::string redistribution_text(const told_redistribution& x, bool with_moves);
std::string redistribution_json(const told_redistribution& x);

/// What became of `hgroups load`.
struct told_load {
  const planning::cluster& c;
  planning::group_moves allowed = planning::group_moves::none;
  whatif_choice link;
  std::vector<planning::load_measure> measures;
  double outlier = 0;
  const planning::load_answer& answer;
};

/// The rest of a sentence; empty if it is reached.
std::string why_not_even(const told_load& x);

std::string load_text(const told_load& x, bool with_moves);
std::string load_json(const told_load& x);

} // namespace orderly::io::htools
