// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Puts the words of power control together with what carries them out over
// the daemon's socket. Used by the program `orderly`.

#pragma once

#include "io/cli/power_options.hpp"
#include "io/console/errands.hpp"

#include <string>

namespace orderly::io::console {

/// What was typed, as an order with its questions and printed answers.
errand_task task_of(const power::options& chosen);

/// What the help of `orderly` tells of the commands that have pages of their
/// own.
std::string more_help();

} // namespace orderly::io::console
