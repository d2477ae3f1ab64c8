// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/power/endings.hpp"

#include <algorithm>
#include <utility>

namespace orderly::oob_parts {

namespace {

power_report report_from(const fields& kept) {
  power_report report;
  report.intent = kept.text("intent");
  for (auto x : {power_verb::on, power_verb::off, power_verb::cycle})
    if (kept.text("verb") == to_string(x))
      report.verb = x;
  report.confirmed = kept.number("confirmed") != 0;
  report.state = power_state_from(kept.text("power"));
  report.evidence = kept.text("evidence");
  report.complaint = kept.text("complaint");
  report.commanded = kept.number("commanded") != 0;
  report.held_back = kept.number("held_back") != 0;
  report.withdrawn = kept.number("withdrawn") != 0;
  report.at = kept.when("at");
  return report;
}

} // namespace

void keep_given(journal_entry& row, const power_order& order) {
  fields kept;
  kept.put("intent", row.intent);
  row.state = std::move(kept);
  row.state_key
    = (order.who.empty() ? given_by_itself : given_prefix) + order.node;
}

intent_id given_from(const fields& kept) {
  return kept.text("intent");
}

std::map<node_name, intent_id>
given_by_persons(const std::map<std::string, fields>& states) {
  std::map<node_name, intent_id> result;
  const std::string prefix = given_prefix;
  for (const auto& [key, kept] : states)
    if (key.starts_with(prefix))
      result.emplace(key.substr(prefix.size()), given_from(kept));
  return result;
}

void keep_ending(journal_entry& row, const power_report& report) {
  fields kept;
  kept.put("intent", report.intent);
  kept.put("verb", to_string(report.verb));
  kept.put("confirmed", report.confirmed);
  kept.put("power", to_string(report.state));
  kept.put("evidence", report.evidence);
  kept.put("complaint", report.complaint);
  kept.put("commanded", report.commanded);
  kept.put("held_back", report.held_back);
  kept.put("withdrawn", report.withdrawn);
  kept.put("at", report.at);
  row.state = std::move(kept);
  row.state_key = ending_prefix + report.node;
}

std::map<intent_id, power_report>
endings_from(const std::map<std::string, fields>& states, instant now) {
  std::map<intent_id, power_report> result;
  const std::string prefix = ending_prefix;
  for (const auto& [key, kept] : states) {
    if (!key.starts_with(prefix))
      continue;
    auto report = report_from(kept);
    report.node = key.substr(prefix.size());
    report.at = std::min(report.at, now);
    auto intent = report.intent;
    if (!intent.empty())
      result.emplace(std::move(intent), std::move(report));
  }
  return result;
}

} // namespace orderly::oob_parts
