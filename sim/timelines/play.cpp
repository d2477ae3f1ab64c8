// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/timelines/play.hpp"

#include "actors/policy/base/backoff.hpp"
#include "messages/host_view.hpp"

#include <stdexcept>

namespace orderly::sim::timelines {

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument{why};
}

/// Timelines are short: what is longer is a slip.
constexpr std::size_t hosts_most = 10'000;
constexpr int seconds_most = 1'000'000;

numbers usual_numbers() {
  return {{"health_interval", 10},   {"health_timeout", 10},
          {"act_base", 10},          {"act_cap", 60},
          {"act_timeout", 60},       {"max_checks", 10},
          {"degraded_period", 300},  {"recover_timeout", 60},
          {"recover_wait", 600},     {"max_recover", 1},
          {"fence_timeout", 60},     {"retry_base", 10},
          {"retry_cap", 250},        {"health_conc", 50},
          {"health_pending", 5000},  {"act_conc", 25},
          {"act_pending", 2500},     {"recover_conc", 25},
          {"recover_pending", 2500}, {"fence_conc", 25},
          {"fence_pending", 2500}};
}

/// "0.7" or 0.7.
double ratio_from(const json& x) {
  return x.is_string() ? std::stod(x.get<std::string>()) : x.get<double>();
}

plan plan_of(const json& scenario) {
  plan result;
  result.settings = usual_numbers();
  auto own = scenario.value("settings", json::object());
  for (const auto& [key, value] : own.items())
    if (key == "ratio")
      result.ratio = ratio_from(value);
    else if (key == "guard_ratio")
      result.guard_ratio
        = value.is_null() ? std::optional<double>{} : ratio_from(value);
    else if (key == "power_off_fast_path")
      result.power_off_fast_path = value.get<bool>();
    else if (result.settings.count(key) == 0)
      refuse("setting \"" + key + "\" is not understood");
    else
      result.settings[key] = value.get<std::int64_t>();
  if (result.settings.at("health_interval") < 1)
    refuse("setting \"health_interval\" must be at least 1");
  return result;
}

void apply(fleet& on, const json& step) {
  auto which = step.value("host", std::size_t{0});
  if (which > on.size())
    refuse("script: there is no host " + std::to_string(which));
  for (const auto& [key, value] : step.items())
    if (key == "set")
      for (const auto& [input, answer] : value.items())
        on.set(which, input, answer);
    else if (key == "do" && (value == "restart" || value == "handoff"))
      on.restart(); // whoever takes over has the same journal
    else if (key != "at" && key != "host")
      refuse("script: \"" + key + "\": " + value.dump() + " is not understood");
}

bool is_ours(const json& row) {
  return row.at(1).get<std::string>().starts_with("X.");
}

json without_ours(const json& rows) {
  auto result = rows.is_object() ? json::object() : json::array();
  for (const auto& [key, row] : rows.items())
    if (rows.is_object() && !key.starts_with("X."))
      result[key] = row;
    else if (rows.is_array() && !is_ours(row))
      result.push_back(row);
  return result;
}

bool lists_codes(const std::string& key) {
  return key == "events" || key == "alerts" || key == "event_counts"
         || key == "alert_counts";
}

/// How many of a kind there were in which second.
void count(json& into, const json& kind, const json& second) {
  auto& n = into[kind.get<std::string>()][second.dump()];
  n = n.is_null() ? 1 : n.get<int>() + 1;
}

/// Of all hosts together.
json counts_of(const fleet& all) {
  json result{{"transition_counts", json::object()},
              {"operation_counts", json::object()},
              {"event_counts", json::object()},
              {"alert_counts", json::object()},
              {"final_states", json::object()},
              {"skipped_admissions", all.refused()},
              {"health_checks_started_per_host", json::array()}};
  for (const auto& x : all.hosts()) {
    const auto& seen = x->seen();
    for (const auto& row : seen.transitions)
      count(result["transition_counts"],
            row.at(1).get<std::string>() + ">" + row.at(2).get<std::string>(),
            row.at(0));
    for (const auto& row : seen.operations)
      count(result["operation_counts"], row.at(1), row.at(0));
    for (const auto& row : seen.events)
      count(result["event_counts"], row.at(1), row.at(0));
    for (const auto& row : seen.alerts)
      count(result["alert_counts"], row.at(1), row.at(0));
    auto& ends = result["final_states"][spelled(x->phase())];
    ends = ends.is_null() ? 1 : ends.get<int>() + 1;
    result["health_checks_started_per_host"].push_back(x->health_checks());
  }
  return result;
}

} // namespace

json seen_of(const fleet& all) {
  auto result = counts_of(all);
  if (all.hosts().size() != 1)
    return result;
  const auto& one = *all.hosts().front();
  result["transitions"] = one.seen().transitions;
  result["operations"] = one.seen().operations;
  result["events"] = one.seen().events;
  result["alerts"] = one.seen().alerts;
  result["final"] = one.final_state();
  return result;
}

std::unique_ptr<fleet> run(const json& scenario) {
  auto hosts = scenario.value("hosts", std::size_t{1});
  auto script = scenario.value("script", json::array());
  auto until = scenario.at("run_until").get<int>();
  if (hosts < 1 || hosts > hosts_most || until < 0 || until > seconds_most)
    refuse("\"hosts\" or \"run_until\" makes no sense");
  auto on = std::make_unique<fleet>(hosts, plan_of(scenario),
                                    scenario.value("given", json::object()),
                                    scenario.value("inputs", json::object()));
  for (auto second = 0; second <= until; ++second) {
    for (const auto& step : script)
      if (step.at("at") == second)
        apply(*on, step);
    on->run(second);
  }
  return on;
}

json watch(const json& scenario) {
  auto seen = seen_of(*run(scenario));
  if (scenario.value("profile", "") != "recommended")
    for (auto& [key, value] : seen.items())
      if (lists_codes(key))
        value = without_ours(value);
  return seen;
}

std::vector<mismatch> play(const json& scenario) {
  auto got = watch(scenario);
  auto bare = scenario.value("profile", "") != "recommended";
  std::vector<mismatch> result;
  for (const auto& [key, value] : scenario.at("expect").items()) {
    if (!got.contains(key))
      refuse("expect: key \"" + key + "\" is not understood");
    auto wanted = lists_codes(key) && bare ? without_ours(value) : value;
    if (wanted != got.at(key))
      result.push_back({key, wanted, got.at(key)});
  }
  return result;
}

std::vector<mismatch> judge_backoff(const json& cases) {
  std::vector<mismatch> result;
  for (const auto& x : cases) {
    auto wait = backoff(seconds{x.at("base").get<std::int64_t>()},
                        seconds{x.at("cap").get<std::int64_t>()},
                        x.at("n").get<std::uint32_t>());
    if (json(wait / seconds{1}) != x.at("seconds"))
      result.push_back({x.dump(), x.at("seconds"), wait / seconds{1}});
  }
  return result;
}

std::vector<mismatch> judge_views(const json& cases) {
  std::vector<mismatch> result;
  for (const auto& x : cases) {
    auto view = view_of(phase_from(x.at("state").get<std::string>()));
    json got{{"host", view ? json(view->host) : json{}},
             {"vm_alive", view ? json(view->alive) : json{}}};
    json wanted{{"host", x.at("host")}, {"vm_alive", x.at("vm_alive")}};
    if (got != wanted)
      result.push_back({x.dump(), wanted, got});
  }
  return result;
}

} // namespace orderly::sim::timelines
