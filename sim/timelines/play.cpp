// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/timelines/play.hpp"

#include "actors/policy/base/backoff.hpp"
#include "messages/host_view.hpp"

#include <stdexcept>

namespace orderly::sim::timelines {

namespace {

void apply(fleet& on, const script_step& step) {
  for (const auto& [input, answer] : step.set.items())
    on.set(step.host, input, answer);
  if (step.restart || step.handoff)
    on.restart(); // whoever takes over has the same journal
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
json counts_of(const std::vector<onlooker>& hosts, int refused) {
  json result{{"transition_counts", json::object()},
              {"operation_counts", json::object()},
              {"event_counts", json::object()},
              {"alert_counts", json::object()},
              {"final_states", json::object()},
              {"skipped_admissions", refused},
              {"health_checks_started_per_host", json::array()}};
  for (const auto& x : hosts) {
    for (const auto& row : x.seen.transitions)
      count(result["transition_counts"],
            row.at(1).get<std::string>() + ">" + row.at(2).get<std::string>(),
            row.at(0));
    for (const auto& row : x.seen.operations)
      count(result["operation_counts"], row.at(1), row.at(0));
    for (const auto& row : x.seen.events)
      count(result["event_counts"], row.at(1), row.at(0));
    for (const auto& row : x.seen.alerts)
      count(result["alert_counts"], row.at(1), row.at(0));
    auto& ends = result["final_states"][x.end.at("state").get<std::string>()];
    ends = ends.is_null() ? 1 : ends.get<int>() + 1;
    result["health_checks_started_per_host"].push_back(x.health_checks);
  }
  return result;
}

} // namespace

json seen_of(const std::vector<onlooker>& hosts, int refused) {
  auto result = counts_of(hosts, refused);
  if (hosts.size() != 1)
    return result;
  const auto& one = hosts.front();
  result["transitions"] = one.seen.transitions;
  result["operations"] = one.seen.operations;
  result["events"] = one.seen.events;
  result["alerts"] = one.seen.alerts;
  result["final"] = one.end;
  return result;
}

json seen_of(const fleet& all) {
  std::vector<onlooker> hosts;
  for (const auto& x : all.hosts())
    hosts.push_back({x->seen(), x->final_state(), x->health_checks()});
  return seen_of(hosts, all.refused());
}

std::unique_ptr<fleet> run(const json& scenario) {
  auto all = timeline_of(scenario);
  auto on = std::make_unique<fleet>(all.hosts, all.how, all.given, all.inputs);
  for (auto second = 0; second <= all.until; ++second) {
    for (const auto& step : all.script)
      if (step.at == second)
        apply(*on, step);
    on->run(second);
  }
  return on;
}

json heard_in(const json& scenario, json seen) {
  if (scenario.value("profile", "") != "recommended")
    for (auto& [key, value] : seen.items())
      if (lists_codes(key))
        value = without_ours(value);
  return seen;
}

json watch(const json& scenario) {
  return heard_in(scenario, seen_of(*run(scenario)));
}

std::vector<mismatch> compare(const json& scenario, const json& seen) {
  auto bare = scenario.value("profile", "") != "recommended";
  std::vector<mismatch> result;
  for (const auto& [key, value] : scenario.at("expect").items()) {
    if (!seen.contains(key))
      throw std::invalid_argument{"expect: key \"" + key
                                  + "\" is not understood"};
    auto wanted = lists_codes(key) && bare ? without_ours(value) : value;
    if (wanted != seen.at(key))
      result.push_back({key, wanted, seen.at(key)});
  }
  return result;
}

std::vector<mismatch> play(const json& scenario) {
  return compare(scenario, watch(scenario));
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
