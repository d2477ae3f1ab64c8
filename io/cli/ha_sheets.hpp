// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How the sheets of `orderly ha` are printed. Used by power_sheets alone.

#pragma once

#include "messages/errand.hpp"

#include <string>

namespace orderly::power {

/// What is on standard output; what failed is on the other one.
struct ha_text {
  std::string out;
  std::string err;
};

ha_text ha_sheet(const errand_sheet& sheet, const ha_errand& wanted);

} // namespace orderly::power
