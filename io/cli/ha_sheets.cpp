// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/ha_sheets.hpp"

#include "io/cli/power_text.hpp"
#include "messages/standing.hpp"

#include <fmt/format.h>

namespace orderly::power {

namespace {

const char* yes_or_no(bool x) {
  return x ? "yes" : "no";
}

std::string or_dash(const std::string& x) {
  return x.empty() ? "-" : x;
}

std::string provider_table(const errand_sheet& sheet) {
  text_table table{{"Provider", "Hypervisors"}};
  for (const auto& x : sheet.rows)
    table.add({x.object, x.text});
  return table.text();
}

std::string setting_table(const errand_sheet& sheet) {
  text_table table{{"Setting", "Value", "From"}};
  for (const auto& x : sheet.rows)
    table.add({x.object, x.text, x.step});
  return table.text();
}

/// The switches above nodes go first: they hold for all below.
std::string state_table(const errand_sheet& sheet) {
  text_table table{{"Kind", "Name", "Enabled", "Provider", "State", "Reason"}};
  for (const auto& x : sheet.rows) {
    if (!x.ha)
      continue;
    auto is_node = x.kind == row_kind::node;
    table.add({to_string(x.kind), x.object, yes_or_no(x.ha->enabled),
               is_node ? or_dash(x.ha->provider) : "-",
               is_node ? to_string(x.ha->state) : "-", x.ha->why});
  }
  return table.text();
}

} // namespace

ha_text ha_sheet(const errand_sheet& sheet, const ha_errand& wanted) {
  ha_text into;
  if (wanted.action == ha_action::providers) {
    into.out = provider_table(sheet);
    return into;
  }
  if (wanted.action == ha_action::settings) {
    into.out = setting_table(sheet);
    return into;
  }
  if (wanted.action == ha_action::list) {
    into.out = state_table(sheet);
    return into;
  }
  for (const auto& x : sheet.rows) {
    auto good = x.state == row_state::done;
    auto kind = std::string{to_string(x.kind)};
    kind.front() = static_cast<char>(kind.front() - 'a' + 'A');
    auto line = fmt::format("{} {}: {}", kind, x.object, x.text);
    if (good && x.ha && x.kind == row_kind::node)
      line += fmt::format("; {}{}", to_string(x.ha->state),
                          x.ha->why.empty() ? "" : ", " + x.ha->why);
    (good ? into.out : into.err) += clean(line) + "\n";
  }
  return into;
}

} // namespace orderly::power
