// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// `orderly cluster`: what the words behind it ask for. Used by power_options
// alone.

#pragma once

#include "io/cli/power_values.hpp"
#include "messages/errand.hpp"

#include <string>
#include <vector>

namespace orderly::power {

mistake take_cluster(const std::vector<std::string>& words, values& v,
                     errand_request& into);

} // namespace orderly::power
