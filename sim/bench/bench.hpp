// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Figures of the simulator and of the reaction times, for `./dev bench`.

#pragma once

#include <string>

namespace orderly::sim {

/// Prints the figures; reactions under the settings in `config`. 0 whatever
/// the figures are, they are no tests; 2 if there is no such file.
int run_bench(const std::string& config, bool json);

/// Prints what the evaluation of auto-repair costs, see bench/evaluate.hpp.
int run_evaluation_bench(bool json);

} // namespace orderly::sim
