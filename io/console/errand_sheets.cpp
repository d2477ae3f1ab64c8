// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/errand_sheets.hpp"

#include "actors/policy/base/utc.hpp"
#include "io/json/errand_json.hpp"
#include "io/json/escape.hpp"
#include "io/json/when.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace orderly::io::console {

namespace {

using nlohmann::json;

std::string state_of(const errand_sheet& x) {
  if (x.ended == never)
    return "goes on";
  return x.failed ? "ended, with failures" : "ended";
}

std::string kind_text(const errand_sheet& x) {
  return x.kind ? to_string(*x.kind) : "";
}

std::string ago(instant t, instant now) {
  return t == never
           ? ""
           : fmt::format("{} ({} ago)", http::to_rfc3339(t), age_text(now - t));
}

} // namespace

std::string errand_list_sheet(const json& x, const table_style& style,
                              instant now) {
  table rows{{"ID", "KIND", "WHO", "BEGAN", "STATE", "DOING"}};
  auto list = x.is_object() ? x.find("errands") : x.end();
  if (!x.is_object() || list == x.end() || !list->is_array())
    return rows.text(style);
  for (const auto& entry : *list) {
    auto sheet = http::read_errand_sheet(entry);
    if (sheet)
      rows.add({sheet->id, kind_text(*sheet), sheet->who,
                ago(sheet->began, now), state_of(*sheet), sheet->doing});
    else
      rows.add({"?", "", "", "", "", sheet.why().text});
  }
  return rows.text(style);
}

std::string errand_detail_sheet(const json& x, const table_style& style,
                                instant now) {
  auto sheet = http::read_errand_sheet(x);
  if (!sheet)
    return http::one_line(sheet.why().text) + "\n";
  auto bare = style;
  bare.headers = false;
  table facts{{"", ""}};
  facts.add({"errand", sheet->id});
  facts.add({"kind", kind_text(*sheet)});
  facts.add({"by", sheet->who});
  facts.add({"began", ago(sheet->began, now)});
  facts.add({"state", state_of(*sheet)});
  if (sheet->ended != never)
    facts.add({"ended", ago(sheet->ended, now)});
  if (!sheet->doing.empty())
    facts.add({"doing", sheet->doing});
  for (const auto& remark : sheet->remarks)
    facts.add({"remark", remark});
  table rows{{"KIND", "NAME", "STATE", "STEP", "POWER", "TEXT"}};
  for (const auto& row : sheet->rows) {
    auto known = row.power != power_state::unknown;
    rows.add({to_string(row.kind), row.object, to_string(row.state), row.step,
              known ? to_string(row.power) : "", row.text});
  }
  return facts.text(bare) + "\n" + rows.text(style);
}

} // namespace orderly::io::console
