// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Writes the text format of Ganeti's htools; read_text.hpp reads it.

#pragma once

#include "actors/planning/moves/placement.hpp"

namespace orderly::io::htools {

std::string write_text(const planning::cluster& c);

/// `c` after the moves of `p`: where instances are, and what nodes have left.
/// Read again, it scores as `p` does.
planning::cluster moved_cluster(const planning::cluster& c,
                                const planning::placement& p);

} // namespace orderly::io::htools
