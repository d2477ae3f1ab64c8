// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Plans in the words of messages/plan.hpp: moves with their opcodes and
// reasons, and sentences about instances that stay. Used by the planner.

#pragma once

#include "actors/planning/search/balance_groups.hpp"
#include "messages/plan.hpp"

#include <map>
#include <string>
#include <vector>

namespace orderly {

/// Names instead of indices.
instance_place place_of(const planning::placement& p, planning::place where);

/// What one move is made of: migrations for what runs, else failovers, and
/// new mirrors.
std::vector<opcode> opcodes_of(const planning::placement& p,
                               const planning::move& m);

/// The steps of one group, in their order.
std::vector<planned_move> planned_moves(const planning::balanced_group& x);

/// Why the instance goes where it goes, or stays. `moves` are those of the
/// group; `kept` says why it is left alone, and is empty if it is not.
std::string explanation(const planning::balanced_group& x,
                        const std::vector<planned_move>& moves, int instance,
                        const std::string& kept);

} // namespace orderly
