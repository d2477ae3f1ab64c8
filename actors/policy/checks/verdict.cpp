// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/checks/verdict.hpp"

#include <algorithm>

namespace orderly::checks {

namespace {

constexpr std::uint16_t login_port = 22;

std::string evidence(const std::vector<finding>& all) {
  std::string result;
  for (const auto& x : all) {
    if (!result.empty())
      result += ", ";
    result += x.text;
  }
  return result;
}

health judge(reply x) {
  switch (x) {
  case reply::good:
    return health::healthy;
  case reply::untried:
    return health::unknown;
  default:
    return health::unhealthy;
  }
}

const finding* find(const std::vector<finding>& all, check_kind kind) {
  auto found = std::find_if(all.begin(), all.end(), [kind](const finding& x) {
    return x.kind == kind;
  });
  return found == all.end() ? nullptr : &*found;
}

} // namespace

std::vector<check> health_checks(const settings& knobs) {
  std::vector<check> result;
  if (knobs.host_ha.daemon_port != 0)
    result.push_back({check_kind::daemon, knobs.host_ha.daemon_port, false});
  if (knobs.host_ha.monitor_port != 0)
    result.push_back({check_kind::monitor, knobs.host_ha.monitor_port, true});
  return result;
}

std::vector<check> activity_checks(const settings& knobs) {
  auto result = health_checks(knobs);
  for (auto& x : result)
    x.http = false; // an open port is proof enough
  result.push_back({check_kind::login, login_port, false});
  return result;
}

sighting judge_health(const node_name& node, const std::vector<finding>& all) {
  sighting result;
  result.node = node;
  const auto* daemon = find(all, check_kind::daemon);
  const auto* monitor = find(all, check_kind::monitor);
  const auto* decides = daemon ? daemon : monitor;
  if (!decides) {
    result.evidence = "no check is switched on: set host_ha.daemon_port or "
                      "host_ha.monitor_port";
    return result;
  }
  result.verdict = judge(decides->got);
  result.evidence = evidence(all);
  result.lives = std::any_of(all.begin(), all.end(), proves_activity);
  if (result.verdict == health::unhealthy && daemon && monitor
      && monitor->got == reply::good)
    result.evidence += ": its monitor lives, its node daemon is broken";
  return result;
}

bool proves_activity(const finding& x) {
  return x.got == reply::good || x.got == reply::bad || x.got == reply::refused;
}

activity_answer judge_activity(const node_name& node,
                               const std::vector<finding>& all) {
  activity_answer result;
  result.node = node;
  result.evidence = evidence(all);
  if (std::any_of(all.begin(), all.end(), proves_activity)) {
    result.verdict = activity::active;
    return result;
  }
  auto looked = std::any_of(all.begin(), all.end(), [](const finding& x) {
    return x.got == reply::silent;
  });
  result.verdict = looked ? activity::inactive : activity::unknown;
  if (all.empty())
    result.evidence = "no check was made";
  return result;
}

std::string describe(millis x) {
  if (x.count() % 1000 == 0)
    return std::to_string(x.count() / 1000) + " s";
  return std::to_string(x.count()) + " ms";
}

check_judge judge() {
  return {health_checks,  activity_checks, judge_health,
          judge_activity, proves_activity, describe};
}

} // namespace orderly::checks
