// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Plays scenarios of the maintenance daemon: rounds of the real tree over a
// cluster whose nodes report, with jobs that end only when the script says so;
// and of its old paths over HTTP.

#pragma once

#include "sim/conformance/judge.hpp"

#include <string>
#include <vector>

namespace orderly::sim::conformance {

/// As `play` does.
std::vector<difference> play_maintd(const scenario& x, instant clock,
                                    std::string* said);

} // namespace orderly::sim::conformance
