// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the commands of power control are called, take and say of themselves:
// one page a command. Made of tables; used by power_options alone.

#pragma once

#include "io/cli/option_table.hpp"

#include <string>
#include <vector>

namespace orderly::power {

struct page {
  std::string name;    ///< "power", "node modify"
  std::string usage;   ///< what stands behind the name
  std::string summary; ///< one line
  std::string about;   ///< paragraphs
  std::string examples;
  option_table options;
};

const std::vector<page>& pages();

/// The page as a person reads it.
std::string help_text(const page& x);

} // namespace orderly::power
