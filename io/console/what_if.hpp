// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The command `orderly plan --what-if`: what would be if nodes died, were
// drained or bought, or instances came. Called by commands.cpp.
//
// orderlyd's picture has no sizes: it says who is dead. The figures are
// Ganeti's, asked for here over LUXI as hwhatif does, and the search runs in
// this process too, since --advise may take half a minute of a processor and
// the daemon has better things to do with it.

#pragma once

#include "io/console/commands.hpp"

namespace orderly::io::console {

/// Prints the answer; the exit code is hwhatif's, or says why there is none.
int show_what_if(const command_line& line, surroundings& with);

} // namespace orderly::io::console
