// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The real surroundings of the command `orderly`: standard streams, the
// terminal if there is one, the clock, and Ctrl-C.

#pragma once

#include "io/console/commands.hpp"

#include <string>

namespace orderly::io::console {

surroundings real_surroundings(const std::string& version);

/// From its first call on, `interrupted` tells of Ctrl-C, which until then ends
/// the program at once; so does a second one.
void heed_interrupts(surroundings& with);

} // namespace orderly::io::console
