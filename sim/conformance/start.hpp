// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Plays how the daemon starts on a node: its command line, the node's own
// record of the master, and the votes of all nodes.

#pragma once

#include "sim/conformance/judge.hpp"

#include <string>
#include <vector>

namespace orderly::sim::conformance {

/// As `play` does.
std::vector<difference> play_start(const scenario& x, std::string* said);

} // namespace orderly::sim::conformance
