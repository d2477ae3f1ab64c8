// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/balance_sheets.hpp"

#include "actors/policy/base/utc.hpp"
#include "io/console/json_parts.hpp"
#include "io/json/when.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace orderly::io::console {

namespace {

using nlohmann::json;

std::string number(const json& x, const char* name, int digits) {
  const auto& value = part(x, name);
  return value.is_number() ? fmt::format("{:.{}f}", value.get<double>(), digits)
                           : "";
}

const json& list(const json& x, const char* name) {
  static const json none = json::array();
  const auto& found = part(x, name);
  return found.is_array() ? found : none;
}

/// `2026-03-01T12:00:03.250Z (4s ago)`, or what is still to come.
std::string moment(const json& x, const char* name, instant now) {
  auto at = text(x, name);
  auto then = http::from_rfc3339(at);
  if (!then)
    return at;
  return *then > now ? fmt::format("{} (in {})", at, age_text(*then - now))
                     : fmt::format("{} ({} ago)", at, age_text(now - *then));
}

/// Tables below each other, with an empty line between.
class pages {
public:
  void add(const std::string& text) {
    if (!text.empty())
      all_ += (all_.empty() ? "" : "\n") + text;
  }

  [[nodiscard]] std::string text() const { return all_; }

private:
  std::string all_;
};

std::string score_table(const json& plan, const table_style& style) {
  table rows{{"GROUP", "SCORE", "AFTER", "STEPS", "NOTE"}};
  for (const auto& x : list(plan, "groups"))
    rows.add(
      {text(x, "group"), number(x, "before", 8), number(x, "after", 8),
       text(x, "steps"),
       flag(x, "cut") ? "the search was cut short: there may be more" : ""});
  return list(plan, "groups").empty() ? "" : rows.text(style);
}

void add_all(table& rows, const json& why_by_name, const char* kind) {
  if (why_by_name.is_object())
    for (const auto& [name, why] : why_by_name.items())
      rows.add({kind, name, why.is_string() ? why.get<std::string>() : ""});
}

/// Nodes and instances that no move touches.
std::string left_alone(const json& x, const table_style& style) {
  table rows{{"LEFT ALONE", "NAME", "WHY"}};
  add_all(rows, part(x, "closed"), "node");
  add_all(rows, part(x, "fixed"), "instance");
  return part(x, "closed").empty() && part(x, "fixed").empty()
           ? ""
           : rows.text(style);
}

} // namespace

std::string balance_status_sheet(const json& x, const table_style& style,
                                 instant now) {
  auto bare = style;
  bare.headers = false;
  table facts{{"", ""}};
  auto add = [&facts](const char* name, const std::string& value) {
    if (!value.empty())
      facts.add({name, value});
  };
  add("balancing", text(x, "phase"));
  add("why", text(x, "text"));
  add("enabled", flag(x, "enabled") ? "yes" : "no (balance.enabled)");
  add("round", text(x, "round"));
  add("next round", moment(x, "next_round", now));
  add("last plan", moment(x, "planned_at", now));
  const auto& plan = part(x, "planned");
  add("no plan", text(plan, "text"));
  for (const auto& remark : list(x, "remarks"))
    if (remark.is_string())
      add("remark", remark.get<std::string>());
  pages all;
  all.add(facts.text(bare));
  table open{{"INSTANCE", "MOVE", "JOB", "STAGE"}};
  for (const auto& move : list(x, "open")) {
    auto job = text(move, "job");
    open.add({text(move, "instance"), text(move, "path"), job == "0" ? "" : job,
              text(move, "stage")});
  }
  all.add(list(x, "open").empty() ? "" : open.text(style));
  all.add(score_table(plan, style));
  all.add(left_alone(x, style));
  return all.text();
}

std::string balance_plan_sheet(const json& x, const table_style& style) {
  const auto& plan = part(x, "planned");
  pages all;
  table moves{{"LEVEL", "INSTANCE", "MOVE", "GAIN", "COST", "WHY"}};
  for (const auto& move : list(plan, "moves"))
    moves.add({text(move, "level"), text(move, "instance"), text(move, "path"),
               number(move, "gain", 8), number(move, "cost", 2),
               text(move, "why")});
  all.add(moves.text(style));
  table explained{{"INSTANCE", "EXPLANATION"}};
  const auto& sentences = part(plan, "explained");
  if (sentences.is_object())
    for (const auto& [name, why] : sentences.items())
      explained.add({name, why.is_string() ? why.get<std::string>() : ""});
  all.add(sentences.empty() ? "" : explained.text(style));
  all.add(score_table(plan, style));
  all.add(left_alone(x, style));
  return all.text();
}

std::string next_sheet(const json& x, const table_style& style) {
  table rows{{"WHAT", "OBJECT", "STATE", "ACT", "WHY"}};
  for (const auto& act : list(x, "acts"))
    rows.add({text(act, "what"), text(act, "object"), text(act, "state"),
              text(act, "act"), text(act, "why")});
  return rows.text(style);
}

} // namespace orderly::io::console
