// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What hsqueeze found, as lines, as commands and as JSON. The lines and
// commands of the exact search are the reference's.

#pragma once

#include "actors/planning/squeeze/fast_squeeze.hpp"
#include "io/htools/tools/plan_text.hpp"

namespace orderly::io::htools {

/// What is to be done, whichever search found it, in indices of the cluster.
struct told_squeeze {
  bool exact = false;
  std::vector<int> on;
  std::vector<int> off;
  std::vector<planning::step> steps;
  std::vector<std::vector<std::size_t>> sets; ///< of steps, in their order
  bool is_short = false; ///< too little room, by the exact search
  bool enough = true;
  std::vector<planning::group_squeeze> groups; ///< of the fast search

  bool is_nothing() const {
    return on.empty() && off.empty() && steps.empty() && !is_short;
  }
};

/// Nodes that are to lose the tag of those that were switched off unneeded.
std::vector<int> nodes_to_untag(const planning::cluster& c,
                                const told_squeeze& x);

/// The cluster when all of it is done; tags only where commands change them.
planning::cluster squeezed_cluster(const planning::cluster& c,
                                   const told_squeeze& x);

/// All commands, as hbal has them. `p` is the whole cluster.
std::string squeeze_commands(const planning::placement& p,
                             const told_squeeze& x, const plan_names& names,
                             command_use use);

/// A line for each group: how many nodes, and why not fewer.
std::string group_lines(const planning::cluster& c, const told_squeeze& x);

/// One object in a line, with its end.
std::string squeeze_json(const planning::cluster& c, const told_squeeze& x,
                         const plan_names& names);

} // namespace orderly::io::htools
