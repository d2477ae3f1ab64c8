// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What `orderly cluster` prints of a sheet. Used by power_sheets alone.

#pragma once

#include "messages/errand.hpp"

#include <string>

namespace orderly::power {

struct setting_words {
  std::string out;
  std::string err;
};

setting_words setting_sheet(const errand_sheet& sheet,
                            const setting_errand& wanted);

} // namespace orderly::power
