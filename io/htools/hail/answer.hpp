// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What hail answers to a request: the planner is asked, and what it says is
// put into Ganeti's words. hail.cpp reads and prints around it.

#pragma once

#include "actors/planning/moves/placement.hpp"
#include "io/htools/formats/read_request.hpp"
#include "io/htools/options/options.hpp"

namespace orderly::io::htools {

/// Instances that are asked for become instances of the cluster that are
/// nowhere, behind those that are there.
void add_new_instances(allocator_request& r);

/// The line of the answer. `p` is of the cluster of `r`, after
/// add_new_instances(); it becomes what the answer makes of it.
std::string answer(planning::placement& p, const allocator_request& r,
                   const tool_options& o);

} // namespace orderly::io::htools
