// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Runs a node's repair command, once: takes the order, checks the command as
// Ganeti checks its restricted commands, and waits for its end.
//
//   lock --> take the order --> check --> run, with a time limit --> its end
//     '-- another one runs      '-- nothing is run: why

#pragma once

#include "io/node_agent/diagnose_command.hpp"
#include "io/node_agent/settings.hpp"

#include <string>

namespace orderly::io::node_agent {

struct repair_end {
  int code = 0;     ///< as a program ends: see orderly-repair
  std::string text; ///< the end of what it said, or why nothing was run
};

/// Must have no other children. Heeds TERM, INT and HUP while a command runs.
repair_end repair_once(const agent_settings& s, const owner_rule& owner = {});

} // namespace orderly::io::node_agent
