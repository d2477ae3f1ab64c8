// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What `orderly ha` is told: an action, and whose switch is meant. Used by
// power_options alone.

#pragma once

#include "io/cli/power_values.hpp"
#include "messages/errand.hpp"

#include <string>
#include <vector>

namespace orderly::power {

mistake take_ha(const std::vector<std::string>& words, values& v,
                errand_request& into);

} // namespace orderly::power
