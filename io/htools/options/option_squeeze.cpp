// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/options/option_table.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

setter set_factor(const char* what, double planning::spare_factors::*to) {
  return [=](tool_options& o, const std::string& text) -> std::string {
    auto x = decimal_number(text);
    if (!x)
      return fmt::format("{}: cannot parse string '{}'", what, text);
    if (!(*x >= 0))
      return fmt::format("{}: '{}' is no number from 0 up", what, text);
    o.spare.*to = *x;
    return {};
  };
}

} // namespace

std::vector<option> squeeze_options() {
  using factors = planning::spare_factors;
  return {
    {0, "minimal-resources", takes::value, "FACTOR",
     "room on each node, in standard instances, below which standby nodes are "
     "switched on [2]",
     set_factor("minimal resources", &factors::minimal)},
    {0, "target-resources", takes::value, "FACTOR",
     "room to leave on each node, in standard instances [2]",
     set_factor("target resources", &factors::target)},
  };
}

} // namespace orderly::io::htools
