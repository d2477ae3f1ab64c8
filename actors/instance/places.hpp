// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where an instance goes whose job leaves that open: the balancer is asked
// first; without an answer, or if others are at work there, the cluster's
// allocator picks. And which places a job that goes on after a restart fills.

#pragma once

#include "actors/instance/seen.hpp"

#include <functional>
#include <vector>

namespace orderly::instance_parts {

/// The cluster's allocator picks where this one goes.
bool leaves_choice(const opcode& op);

/// Tells the job's opcodes with the place that was found for the instance, if
/// they leave it open and the permit could be widened; else as they are, and
/// the cluster's allocator picks.
void find_place(self_ptr self, const intent_id& intent, std::vector<opcode> ops,
                std::function<void(std::vector<opcode>)> then);

/// May the step that the permit is for still run? Then its places are its own,
/// whatever the guards say by now.
bool needs_places(const autorepair::state& s);

/// Asks for such places once more, long before they would be taken back: how
/// long luxid takes to say what became of a step nobody knows.
void keep_places(self_ptr self);

/// The places of a job that goes on after a restart, which it alone names.
void reserve_again(self_ptr self, const std::vector<node_name>& joins);

} // namespace orderly::instance_parts
