// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Plays conformance suites: scenarios that say what a tool must do in a
// cluster, against the real actors in a simulated one. Reading, playing and
// judging are in files of their own; this is the way through all three.

#pragma once

#include "sim/conformance/judge.hpp"

#include <iosfwd>

namespace orderly::sim::conformance {

/// Plays one scenario from its beginning; empty: all is as expected. What the
/// tool printed goes into `said` if that is given.
std::vector<difference> play(const scenario& x, instant clock,
                             std::string* said = nullptr,
                             enacted::player by = enacted::player::both);

/// Plays those selected of the file at `path`. Prints a block for each that
/// fails and at last the counts. 0: none failed; 1: some did; 2: no
/// suite, or none of it was selected, or the file for what was seen cannot be
/// written.
int run_conformance(const std::string& path, const selection& which,
                    std::ostream& out);

} // namespace orderly::sim::conformance
