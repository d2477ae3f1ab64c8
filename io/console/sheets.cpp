// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/sheets.hpp"

#include "actors/policy/base/utc.hpp"
#include "io/console/json_parts.hpp"
#include "io/json/when.hpp"
#include "messages/standing.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace orderly::io::console {

namespace {

using nlohmann::json;

std::string joined(const json& list, const char* between) {
  std::string all;
  if (list.is_array())
    for (const auto& x : list)
      if (x.is_string())
        all += (all.empty() ? "" : between) + x.get<std::string>();
  return all;
}

/// `available 4, fenced 1`
std::string counted(const json& counts) {
  std::string all;
  if (counts.is_object())
    for (const auto& [name, count] : counts.items())
      all += fmt::format("{}{} {}", all.empty() ? "" : ", ", name,
                         count.is_number() ? count.dump() : "?");
  return all;
}

/// `node1 recorded off, is on; and 7 more: see orderly nodes`
std::string mismatches(const json& by_node) {
  constexpr size_t shown_max = 5;
  std::string all;
  if (!by_node.is_object())
    return all;
  size_t shown = 0;
  for (const auto& [node, how] : by_node.items())
    if (how.is_string() && shown++ < shown_max)
      all += fmt::format("{}{} {}", all.empty() ? "" : "; ", node,
                         how.get<std::string>());
  if (shown > shown_max)
    all += fmt::format("; and {} more: see orderly nodes", shown - shown_max);
  return all;
}

/// `2026-03-01T12:00:03.250Z (4s ago)`
std::string time_and_age(const json& x, const char* name, instant now) {
  auto at = text(x, name);
  return at.empty() ? "never"
                    : fmt::format("{} ({} ago)", at, age(x, name, now));
}

std::string node_flags(const json& x) {
  std::string all;
  auto add = [&all](bool is, const char* word) {
    if (is)
      all += (all.empty() ? "" : ",") + std::string{word};
  };
  add(flag(x, "offline"), "offline");
  add(flag(x, "drained"), "drained");
  add(!flag(x, "powered"), "powered-off");
  add(!flag(x, "power_control"), "no-power-control");
  const auto& check = part(x, "rehearsal");
  add(text(check, "result") == "unprotected", "unprotected");
  add(!text(check, "mismatch").empty(), "power-mismatch");
  add(!text(x, "held").empty(), "held");
  const auto& order = part(x, "ordered");
  add(order.is_object(), "ordered");
  return all;
}

std::string guard_text(const json& x) {
  if (flag(x, "paused"))
    return "paused by " + text(x, "paused_by");
  if (flag(x, "storm"))
    return "storm: " + text(x, "storm_text");
  if (flag(x, "budget"))
    return text(x, "budget_text");
  return "open";
}

const json& list(const json& x, const char* name) {
  static const json none = json::array();
  const auto& found = part(x, name);
  return found.is_array() ? found : none;
}

/// Lines of a name and a value; empty values are left out.
class fact_sheet {
public:
  void add(const std::string& name, const std::string& value) {
    if (!value.empty())
      rows_.add({name, value});
  }

  [[nodiscard]] std::string text(table_style style) const {
    style.headers = false;
    return rows_.text(style);
  }

private:
  table rows_{{"", ""}};
};

/// What the last rehearsal of the node's power control gave.
void explain_power(fact_sheet& facts, const json& x, instant now) {
  const auto& check = part(x, "rehearsal");
  if (check.is_object()) {
    auto why = text(check, "why");
    facts.add("protection",
              text(check, "result") + (why.empty() ? "" : ": " + why));
    if (!text(check, "at").empty())
      facts.add("rehearsed", time_and_age(check, "at", now));
    facts.add("power mismatch", text(check, "mismatch"));
  }
  facts.add("held", text(x, "held"));
}

/// `power-off by root: new memory (power-12, waits for its turn), 12s ago`
std::string order_text(const json& x, instant now) {
  if (!x.is_object())
    return {};
  auto why = text(x, "why");
  return fmt::format(
    "{} by {}{} ({}, {}), {} ago", text(x, "verb"), text(x, "who"),
    why.empty() ? "" : ": " + why, text(x, "errand"),
    flag(x, "running")             ? "now: " + text(x, "step")
    : text(x, "waits_for").empty() ? "waits for its turn"
                                   : "waits for " + text(x, "waits_for"),
    age(x, "at", now));
}

/// `off for 3m, read first at ...: power status off by oob-ipmi`
std::string power_text(const json& x, instant now) {
  auto power = text(x, "power");
  if (power.empty() || text(x, "power_since").empty())
    return {};
  return fmt::format("{} for {}: {}", power, age(x, "power_since", now),
                     text(x, "power_text"));
}

void explain_node(fact_sheet& facts, const json& x, instant now) {
  facts.add("node", text(x, "name"));
  facts.add("phase", text(x, "phase"));
  facts.add("since", time_and_age(x, "since", now));
  facts.add("why", text(x, "why"));
  facts.add("waits for", text(x, "waits_for"));
  facts.add("ordered", order_text(part(x, "ordered"), now));
  facts.add("power reads", power_text(x, now));
  facts.add("in trouble", flag(x, "troubled") ? "yes" : "no");
  const auto& proof = part(x, "proved_down");
  if (proof.is_object())
    facts.add("proved down", fmt::format("{} ({}), {}", text(proof, "text"),
                                         text(proof, "level"),
                                         time_and_age(proof, "at", now)));
  explain_power(facts, x, now);
  facts.add("incident", text(x, "incident"));
  facts.add("group", text(x, "group"));
  facts.add("flags", node_flags(x));
}

/// `12, 14`
std::string numbers(const json& list) {
  std::string all;
  if (list.is_array())
    for (const auto& x : list)
      if (x.is_number())
        all += (all.empty() ? "" : ", ") + x.dump();
  return all;
}

/// What is done about instances, by the mode that auto-repair is in.
std::string mode_text(const json& x) {
  auto mode = text(x, "autorepair_mode");
  if (mode == "off")
    return "no, auto-repair is off";
  return mode == "act" || (mode.empty() && flag(x, "autorepair"))
           ? "yes"
           : "no, observes only";
}

/// The repair that it takes, and what that costs.
std::string needed_text(const json& x) {
  auto needed = text(x, "needed");
  if (needed != to_string(repair_type::reinstall))
    return needed;
  return fmt::format("{}, which destroys the data of {}{}", needed,
                     text(x, "name"),
                     joined(part(x, "may_live"), "").empty()
                       ? ""
                       : ": not while a copy of it may live");
}

void explain_instance(fact_sheet& facts, const json& x, const json& decisions,
                      instant now) {
  facts.add("instance", text(x, "name"));
  facts.add("advice", text(x, "advice"));
  facts.add("phase", text(x, "phase"));
  // Instances carry no time of their own: the last decision about this one
  // is when it came into its phase.
  for (auto i = decisions.rbegin(); i != decisions.rend(); ++i) {
    if (text(*i, "object") != "instance:" + text(x, "name")
        || text(*i, "kind") != "decision")
      continue;
    facts.add("last decision", time_and_age(*i, "at", now));
    break;
  }
  facts.add("why", text(x, "why"));
  facts.add("wrong", text(x, "wrong"));
  facts.add("needed", needed_text(x));
  facts.add("may live", joined(part(x, "may_live"), ", "));
  facts.add("permission", text(x, "permission"));
  facts.add("next", text(x, "next"));
  facts.add("waits for", text(x, "waits_for"));
  facts.add("repair", text(x, "incident"));
  facts.add("jobs", numbers(part(x, "jobs")));
  const auto& remarks = part(x, "remarks");
  if (remarks.is_array())
    for (const auto& remark : remarks)
      if (remark.is_string())
        facts.add("remark", remark.get<std::string>());
  facts.add("primary", text(x, "primary"));
  facts.add("secondaries", joined(part(x, "secondaries"), ","));
  facts.add("disks", text(x, "disks"));
  facts.add("admin state", text(x, "admin"));
}

/// The decisions in `x` below something else, if there are any.
std::string story(const json& x, const table_style& style) {
  return list(x, "decisions").empty() ? "" : "\n" + decision_sheet(x, style);
}

} // namespace

std::string status_sheet(const json& x, const table_style& style, instant now) {
  const auto& right = part(x, "right_to_act");
  const auto& guard = part(x, "guard");
  fact_sheet facts;
  facts.add("cluster", text(x, "cluster"));
  facts.add("master", text(x, "master"));
  facts.add("right to act",
            fmt::format("{}{}{}", flag(right, "held") ? "yes" : "no",
                        text(right, "text").empty() ? "" : ": ",
                        text(right, "text")));
  facts.add("guard", guard_text(guard));
  // Not those that are off by the record, or by what a person wants.
  facts.add("in trouble",
            fmt::format("{} of {} nodes that should live",
                        text(guard, "troubled"), text(guard, "nodes")));
  facts.add("budget", fmt::format("{} fences, {} failovers left in this hour",
                                  text(guard, "fences_left"),
                                  text(guard, "failovers_left")));
  facts.add("permits out", text(guard, "permits_out"));
  facts.add("acts on nodes", flag(x, "host_ha") ? "yes" : "no, observes only");
  facts.add("acts on instances", mode_text(x));
  facts.add("nodes", counted(part(x, "nodes_by_phase")));
  facts.add("instances", counted(part(x, "instances_by_phase")));
  facts.add("protection", counted(part(x, "nodes_by_protection")));
  facts.add("power mismatch", mismatches(part(x, "power_mismatches")));
  facts.add("last reading", time_and_age(x, "polled", now));
  facts.add("reading error", text(x, "poll_error"));
  facts.add("journal trouble", text(x, "journal_trouble"));
  facts.add("started", time_and_age(x, "started", now));
  facts.add("version", text(x, "version"));
  return facts.text(style);
}

std::string node_sheet(const json& x, const table_style& style, instant now) {
  table rows{{"NODE", "GROUP", "PHASE", "FOR", "FLAGS", "WHY"}};
  for (const auto& row : list(x, "nodes"))
    rows.add({text(row, "name"), text(row, "group"), text(row, "phase"),
              age(row, "since", now), node_flags(row), text(row, "why")});
  return rows.text(style);
}

std::string instance_sheet(const json& x, const table_style& style) {
  table rows{
    {"INSTANCE", "PRIMARY", "SECONDARIES", "DISKS", "ADMIN", "PHASE", "WHY"}};
  for (const auto& row : list(x, "instances"))
    rows.add({text(row, "name"), text(row, "primary"),
              joined(part(row, "secondaries"), ","), text(row, "disks"),
              text(row, "admin"), text(row, "phase"), text(row, "why")});
  return rows.text(style);
}

std::string decision_sheet(const json& x, const table_style& style) {
  table rows{{"SEQ", "TIME", "KIND", "OBJECT", "CODE", "WHY"}};
  for (const auto& row : list(x, "decisions"))
    if (text(row, "kind") != "note" || !text(row, "why").empty())
      rows.add({text(row, "seq"), text(row, "at"), text(row, "kind"),
                text(row, "object"), text(row, "code"), text(row, "why")});
  return rows.text(style);
}

std::string explain_sheet(const json& x, const table_style& style,
                          instant now) {
  const auto& decisions = list(x, "decisions");
  std::string all;
  auto put = [&](const fact_sheet& facts) {
    all += (all.empty() ? "" : "\n") + facts.text(style);
  };
  const auto& instances = list(x, "instances");
  for (const auto& row : instances) {
    fact_sheet facts;
    explain_instance(facts, row, decisions, now);
    put(facts);
  }
  // An instance comes with its nodes; a node that was asked for comes alone.
  if (!instances.empty() && !list(x, "nodes").empty())
    return all + "\n" + node_sheet(x, style, now) + story(x, style);
  for (const auto& row : list(x, "nodes")) {
    fact_sheet facts;
    explain_node(facts, row, now);
    put(facts);
  }
  return all + story(x, style);
}

std::string advice_sheet(const json& x, const table_style& style) {
  table rows{{"INSTANCE", "PHASE", "NEEDED", "ALLOWED", "OUTLOOK", "ADVICE"}};
  for (const auto& row : list(x, "instances"))
    rows.add({text(row, "name"), text(row, "phase"), text(row, "needed"),
              text(row, "allowed"), text(row, "outlook"), text(row, "advice")});
  return rows.text(style);
}

std::string advice_remark(const json& x) {
  auto holds = text(x, "holds");
  if (!holds.empty())
    return "nothing is begun because " + holds;
  auto mode = text(x, "autorepair_mode");
  if (mode == "off" || mode == "observe")
    return "acts on instances: " + mode_text(x);
  return {};
}

} // namespace orderly::io::console
