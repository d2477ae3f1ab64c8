// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Figures of the simulator and of the reaction times, for `./dev bench`.

#pragma once

namespace orderly::sim {

/// Prints the figures; always 0: figures are no tests.
int run_bench(bool json);

} // namespace orderly::sim
