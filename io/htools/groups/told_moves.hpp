// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Moves of a plan across groups, as lines and as JSON.

#pragma once

#include "actors/planning/groups/move_rounds.hpp"
#include "actors/planning/whatif/traffic.hpp"
#include "io/htools/options/options.hpp"

namespace orderly::io::htools {

struct told_moves {
  const std::vector<planning::step>& steps;
  const planning::move_rounds& rounds;
  const planning::traffic& moved;
};

/// `12 moves in 4 rounds, 34.0 GiB to copy, at least 3 min with a link of 1g`.
std::string moves_summary(const told_moves& x, const whatif_choice& link);

/// One line each, with its round.
std::string moves_lines(const planning::cluster& c, const told_moves& x);

/// Members of an object, without its braces.
std::string moves_members(const planning::cluster& c, const told_moves& x,
                          const whatif_choice& link);

/// Names of these as a JSON list.
std::string group_list(const planning::cluster& c,
                       const std::vector<int>& groups);
std::string instance_list(const planning::cluster& c,
                          const std::vector<int>& instances);

/// The same in a sentence: `a, b, c`, or the first and how many more.
std::string group_words(const planning::cluster& c,
                        const std::vector<int>& groups);
std::string instance_words(const planning::cluster& c,
                           const std::vector<int>& instances);

} // namespace orderly::io::htools
