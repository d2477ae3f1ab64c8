// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A plan in words: the line of each move, and the commands that carry it out.

#pragma once

#include "actors/planning/search/job_sets.hpp"

namespace orderly::io::htools {

/// Short names of a group's nodes and instances, and how wide they are.
struct plan_names {
  plan_names(const planning::placement& p, const std::string& suffix);

  const std::string& node(int n) const {
    return nodes[static_cast<std::size_t>(n)];
  }

  const std::string& instance(int i) const {
    return instances[static_cast<std::size_t>(i)];
  }

  std::vector<std::string> nodes;
  std::vector<std::string> instances;
  std::size_t node_width = 0;
  std::size_t instance_width = 0;
};

/// `    1. inst p:s => p:s   1.00000000 a=f`, with its end of line.
std::string step_line(std::size_t number, const planning::step& s,
                      const plan_names& names);

/// `p:s`, or `p` without a secondary.
std::string place_text(planning::place where, const plan_names& names);

/// `f r:t`, the parts of a move.
std::string moves_text(const planning::move& m, const plan_names& names);

/// A script looks before each job whether somebody stops it, by `check`.
enum class command_use { screen, script };

/// All commands, a job set after the other.
std::string command_lines(const planning::placement& p,
                          const std::vector<planning::step>& steps,
                          const std::vector<std::vector<std::size_t>>& sets,
                          const plan_names& names, command_use use);

/// Those for a screen, indented.
std::string shown_commands(const std::string& commands);

/// Those of a script, as one that can be stopped between two jobs.
std::string command_script(const std::string& commands);

} // namespace orderly::io::htools
