// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Rounds of a rolling maintenance as hroller prints them: the reference's
// lines, sentences about what stays or cannot be restarted, or JSON.

#pragma once

#include "actors/planning/roll/fast_roll.hpp"
#include "io/htools/options/options.hpp"

namespace orderly::io::htools {

/// Nodes of each round, with moves and headers as the options say. Moves that
/// only swap primary and mirror are left out.
std::string rounds_text(const planning::cluster& c,
                        const std::vector<planning::reboot_round>& rounds,
                        const roll_choice& o, bool headers);

/// Why the node is in no round: a sentence with its names and amounts.
std::string stuck_text(const planning::cluster& c,
                       const planning::stuck_node& x);

/// One object on one line. `pinned` are instances that are down with their
/// nodes; `bound` is there if a search knows one.
std::string rounds_json(const planning::cluster& c,
                        const std::vector<planning::reboot_round>& rounds,
                        const std::vector<planning::stuck_node>& stuck,
                        const std::vector<int>& pinned,
                        const planning::roll_bound* bound);

} // namespace orderly::io::htools
