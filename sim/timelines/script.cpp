// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/timelines/script.hpp"

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

void take_counters(beginning& into, const json& counters) {
  for (const auto& [name, n] : counters.items()) {
    auto& count
      = name == "checks"     ? into.checks
        : name == "failures" ? into.failures
        : name == "errors"   ? into.errors
        : name == "recoveries"
          ? into.recoveries
          : throw std::invalid_argument{"given: no counter '" + name + "'"};
    count = n.get<std::uint32_t>();
  }
}

beginning beginning_of(const json& given) {
  beginning result;
  for (const auto& [key, value] : given.items())
    if (key == "state")
      result.phase = phase_from(value.get<std::string>());
    else if (key == "since")
      result.since = value.get<int>();
    else if (key == "counters")
      take_counters(result, value);
    else
      refuse("given: key \"" + key + "\" is not understood");
  return result;
}

script_step step_from(const json& step, std::size_t hosts) {
  script_step result;
  result.at = step.at("at").get<int>();
  result.host = step.value("host", std::size_t{0});
  if (result.host > hosts)
    refuse("script: there is no host " + std::to_string(result.host));
  for (const auto& [key, value] : step.items())
    if (key == "set")
      result.set = value;
    else if (key == "do" && value == "restart")
      result.restart = true;
    else if (key == "do" && value == "handoff")
      result.handoff = true;
    else if (key != "at" && key != "host")
      refuse("script: \"" + key + "\": " + value.dump() + " is not understood");
  return result;
}

} // namespace

const char* spelled(ha_phase x) {
  switch (x) {
  case ha_phase::disabled:
    return "Disabled";
  case ha_phase::ineligible:
    return "Ineligible";
  case ha_phase::available:
    return "Available";
  case ha_phase::suspect:
    return "Suspect";
  case ha_phase::checking:
    return "Checking";
  case ha_phase::degraded:
    return "Degraded";
  case ha_phase::recovering:
    return "Recovering";
  case ha_phase::recovered:
    return "Recovered";
  case ha_phase::fencing:
    return "Fencing";
  case ha_phase::fenced:
    return "Fenced";
  }
  return "?";
}

ha_phase phase_from(const std::string& text) {
  for (auto x : {ha_phase::disabled, ha_phase::ineligible, ha_phase::available,
                 ha_phase::suspect, ha_phase::checking, ha_phase::degraded,
                 ha_phase::recovering, ha_phase::recovered, ha_phase::fencing,
                 ha_phase::fenced})
    if (text == spelled(x))
      return x;
  throw std::invalid_argument{"there is no state \"" + text + "\""};
}

timeline timeline_of(const json& scenario) {
  timeline all;
  all.hosts = scenario.value("hosts", std::size_t{1});
  all.until = scenario.at("run_until").get<int>();
  if (all.hosts < 1 || all.hosts > hosts_most || all.until < 0
      || all.until > seconds_most)
    refuse("\"hosts\" or \"run_until\" makes no sense");
  all.how = plan_of(scenario);
  all.given = beginning_of(scenario.value("given", json::object()));
  all.inputs = scenario.value("inputs", json::object());
  for (const auto& step : scenario.value("script", json::array()))
    all.script.push_back(step_from(step, all.hosts));
  return all;
}

} // namespace orderly::sim::timelines
