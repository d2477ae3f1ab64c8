// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Cases about health, witnesses and switches: each is a question to the policy
// that decides it.

#include "actors/policy/checks/neighbours.hpp"
#include "actors/policy/checks/verdict.hpp"
#include "actors/policy/host_ha/switches.hpp"
#include "sim/timelines/play.hpp"

#include <algorithm>
#include <stdexcept>

namespace orderly::sim::timelines {

namespace {

void allow(const json& one, std::initializer_list<const char*> known) {
  for (const auto& [key, value] : one.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw std::invalid_argument{"case: key \"" + key
                                  + "\" is not understood"};
}

checks::reply reply_from(const std::string& x) {
  using checks::reply;
  static const std::map<std::string, reply> all{{"good", reply::good},
                                                {"bad", reply::bad},
                                                {"refused", reply::refused},
                                                {"silent", reply::silent},
                                                {"untried", reply::untried}};
  auto i = all.find(x);
  if (i == all.end())
    throw std::invalid_argument{"there is no reply \"" + x + "\""};
  return i->second;
}

checks::neighbour neighbour_from(const json& x) {
  allow(x, {"name", "group", "family", "online", "heard", "in_trouble", "able",
            "looking"});
  return {x.at("name").get<std::string>(), x.value("group", "g1"),
          x.value("family", "kvm"),        x.value("online", true),
          x.value("heard", true),          x.value("in_trouble", false),
          x.value("able", true),           x.value("looking", 0u)};
}

/// Unset, and empty, is as if nobody had said anything.
std::optional<bool> switch_in(const json& one, const char* key) {
  auto x = one.value(key, json{});
  if (x.is_null() || x == "")
    return std::nullopt;
  return x.get<bool>();
}

} // namespace

std::vector<mismatch> judge_health_cases(const json& cases) {
  std::vector<mismatch> result;
  for (const auto& one : cases) {
    allow(one, {"daemon", "monitor", "healthy", "why"});
    std::vector<checks::finding> all;
    if (one.contains("daemon"))
      all.push_back(
        {checks::check_kind::daemon, reply_from(one["daemon"]), ""});
    if (one.contains("monitor"))
      all.push_back(
        {checks::check_kind::monitor, reply_from(one["monitor"]), ""});
    auto verdict = checks::judge_health("n1", all).verdict;
    json got;
    if (verdict == health::healthy || verdict == health::unhealthy)
      got = verdict == health::healthy;
    if (got != one.at("healthy"))
      result.push_back({one.dump(), one.at("healthy"), got});
  }
  return result;
}

std::vector<mismatch> judge_neighbours(const json& cases) {
  std::vector<mismatch> result;
  for (const auto& one : cases) {
    allow(one, {"subject", "nodes", "asked", "why"});
    std::vector<checks::neighbour> all;
    for (const auto& x : one.at("nodes"))
      all.push_back(neighbour_from(x));
    json got = checks::choose_neighbours(neighbour_from(one.at("subject")),
                                         std::move(all));
    if (got != one.at("asked"))
      result.push_back({one.dump(), one.at("asked"), got});
  }
  return result;
}

std::vector<mismatch> judge_hierarchy(const json& cases) {
  std::vector<mismatch> result;
  for (const auto& one : cases) {
    allow(one, {"zone", "cluster", "host", "provider", "treated", "why"});
    cluster_record picture;
    picture.groups = {{"g1", "uuid-g1", {}}};
    node_record node;
    node.name = "n1";
    node.group = "g1";
    ha_switches all;
    all.opt_in = true;
    all.nodes["n1"] = {one.value("provider", "kvmhaprovider"),
                       switch_in(one, "host"), "", ""};
    if (auto on = switch_in(one, "cluster"))
      all.groups["uuid-g1"] = {*on, "uuid-g1", ""};
    if (auto on = switch_in(one, "zone"))
      all.cluster = upper_switch{*on, "", ""};
    auto got
      = host_ha::stand_of(all, picture, node).off == host_ha::off_by::nothing;
    if (json(got) != one.at("treated"))
      result.push_back({one.dump(), one.at("treated"), got});
  }
  return result;
}

} // namespace orderly::sim::timelines
