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

numbers usual_numbers() {
  return {
    {"health_interval", 10},  {"health_timeout", 10},  {"act_base", 10},
    {"act_cap", 60},          {"act_timeout", 60},     {"max_checks", 10},
    {"degraded_period", 300}, {"recover_timeout", 60}, {"recover_wait", 600},
    {"max_recover", 1},       {"fence_timeout", 60},   {"retry_base", 10},
    {"retry_cap", 250}};
}

/// "0.7" or 0.7.
double ratio_from(const json& x) {
  return x.is_string() ? std::stod(x.get<std::string>()) : x.get<double>();
}

host host_of(const json& scenario) {
  auto settings = usual_numbers();
  auto ratio = 0.7;
  auto own = scenario.value("settings", json::object());
  for (const auto& [key, value] : own.items())
    if (key == "ratio")
      ratio = ratio_from(value);
    else if (settings.count(key) == 0)
      refuse("setting \"" + key + "\" is not understood");
    else
      settings[key] = value.get<std::int64_t>();
  return {std::move(settings), ratio, scenario.value("given", json::object()),
          scenario.value("inputs", json::object())};
}

void apply(host& on, const json& step) {
  for (const auto& [key, value] : step.items())
    if (key == "set")
      for (const auto& [input, answer] : value.items())
        on.set(input, answer);
    else if (key == "do" && (value == "restart" || value == "handoff"))
      on.restart(); // whoever takes over has the same journal
    else if (key != "at")
      refuse("script: \"" + key + "\": " + value.dump() + " is not understood");
}

bool is_ours(const json& row) {
  return row.at(1).get<std::string>().starts_with("X.");
}

json without_ours(const json& rows) {
  auto result = json::array();
  for (const auto& row : rows)
    if (!is_ours(row))
      result.push_back(row);
  return result;
}

} // namespace

std::vector<mismatch> play(const json& scenario) {
  if (scenario.value("hosts", 1) != 1)
    refuse("timelines of several hosts are not built yet");
  auto on = host_of(scenario);
  auto script = scenario.value("script", json::array());
  auto until = scenario.at("run_until").get<int>();
  for (auto second = 0; second <= until; ++second) {
    for (const auto& step : script)
      if (step.at("at") == second)
        apply(on, step);
    on.run(second);
  }
  auto bare = scenario.value("profile", "") != "recommended";
  std::map<std::string, json> got{
    {"transitions", on.seen().transitions},
    {"operations", on.seen().operations},
    {"events", bare ? without_ours(on.seen().events) : on.seen().events},
    {"alerts", bare ? without_ours(on.seen().alerts) : on.seen().alerts},
    {"final", on.final_state()}};
  std::vector<mismatch> result;
  for (const auto& [key, value] : scenario.at("expect").items()) {
    auto seen = got.find(key);
    if (seen == got.end())
      refuse("expect: key \"" + key + "\" is not understood");
    auto listed = key == "events" || key == "alerts";
    auto wanted = listed && bare ? without_ours(value) : value;
    if (wanted != seen->second)
      result.push_back({key, wanted, seen->second});
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
