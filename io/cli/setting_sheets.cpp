// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/setting_sheets.hpp"

#include "io/cli/power_text.hpp"

#include <fmt/format.h>

namespace orderly::power {

setting_words setting_sheet(const errand_sheet& sheet,
                            const setting_errand& wanted) {
  setting_words into;
  if (wanted.action == setting_action::list) {
    text_table table{{"Setting", "Value", "Default", "From"}};
    for (const auto& x : sheet.rows)
      table.add({x.object, x.text, x.built_in, x.step});
    into.out = table.text();
    return into;
  }
  const auto* failed = wanted.action == setting_action::unset
                         ? "was not unset: "
                         : "was not set: ";
  for (const auto& x : sheet.rows) {
    auto good = x.state == row_state::done;
    auto text = x.text.empty() ? std::string{to_string(x.state)} : x.text;
    (good ? into.out : into.err)
      += clean(fmt::format("{} {}{}", x.object, good ? "" : failed, text))
         + "\n";
  }
  return into;
}

} // namespace orderly::power
