// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The commands `orderly balance --dry-run` and `orderly plan`: have a plan
// made, wait until it is there, and print it.

#pragma once

#include "io/console/commands.hpp"

namespace orderly::io::console {

/// Prints the plan for the cluster as it is now; nothing is carried out.
int show_plan(const command_line& line, surroundings& with);

/// Prints what would be done next; the exit code says whether there is
/// something. If balancing is on, a new plan is made first.
int show_next(const command_line& line, surroundings& with);

} // namespace orderly::io::console
