// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// `orderly harep`: one pass over the cluster with the engine of orderlyd, as
// a drop-in for Ganeti's harep, from cron or by hand.

#pragma once

#include <string>
#include <vector>

namespace orderly {

/// `args` come after the word `harep`. Does not come back: it ends the
/// process with the exit code, because actors may linger.
[[noreturn]] void run_harep(const std::vector<std::string>& args);

} // namespace orderly
