// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Commands of orderly-sim about the machine of host HA. Used by sim/main.cpp.

#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace orderly::sim::commands {

/// Adds them to `app`; the exit code goes into `code`.
void add_host_ha(CLI::App& app, int& code);

} // namespace orderly::sim::commands
