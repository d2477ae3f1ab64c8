// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/options/option_table.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

/// `1g`, `25g` or `100m`, in bits a second.
std::string set_link(tool_options& o, const std::string& text) {
  constexpr double least = 1e6;
  constexpr double most = 1e15;
  auto unit = text.empty() ? ' ' : text.back();
  auto factor = unit == 'm' ? 1e6 : unit == 'g' ? 1e9 : unit == 't' ? 1e12 : 0;
  auto number = text.substr(0, text.empty() ? 0 : text.size() - 1);
  auto x = decimal_number(number);
  auto bits = x ? *x * factor : 0;
  if (!(bits >= least && bits <= most))
    return fmt::format("link: '{}' is no speed like 1g (gigabits a second), "
                       "2.5g or 100m",
                       text);
  o.whatif.link_bits = bits;
  o.whatif.link_text = text;
  return {};
}

} // namespace

std::vector<option> whatif_options() {
  return {
    {0, "link", takes::value, "SPEED",
     "what each node's network carries, in bits a second: 1g, 25g, 100m [1g]",
     set_link},
    {0, "advise", takes::nothing, "",
     "say how few nodes more, or how little memory, would make it well",
     set_text(
       [](tool_options& o, const std::string&) { o.whatif.advise = true; })},
  };
}

} // namespace orderly::io::htools
