// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The last look before a failover or reinstallation leaves, after its intent is
// on disk: do the daemons of the nodes that it relies upon being dead still not
// answer, and do the guards still let it go?

#pragma once

#include "actors/instance/seen.hpp"

#include <caf/result.hpp>

#include <functional>
#include <string>
#include <vector>

namespace orderly::instance_parts {

/// Reads the power of the nodes whose copies these opcodes would destroy, if a
/// reading proved them off: minutes later a person may have switched one on.
/// Tells what speaks against it; empty: they are off.
void read_copies(self_ptr self, const std::vector<opcode>& ops,
                 std::function<void(const std::string&)> then);

/// A job that Ganeti carries out without a look at the copies.
bool moves_what_is_down(const instance_facts& facts,
                        const std::vector<opcode>& ops);

/// How is its mirror right now? What is marked down may run all the same, and
/// write. `then` hears what speaks against a move there, or an empty text.
void ask_mirror(self_ptr self, std::function<void(const std::string&)> then);

/// Asks the daemons of the nodes that these opcodes rely upon being dead. Tells
/// what speaks against it; empty: none of them answered.
void ask_homes(self_ptr self, const std::vector<opcode>& ops,
               std::function<void(const std::string&)> then);

/// Right before the job of that intent leaves.
caf::result<consent> bear_witness(self_ptr self, const intent_id& intent);

} // namespace orderly::instance_parts
