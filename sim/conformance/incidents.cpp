// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a scenario expects of the maintenance daemon beside jobs and tags: the
// incidents that are kept, where things are in the end, and HTTP answers.

#include "sim/conformance/judge.hpp"
#include "sim/conformance/keys.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

using differences = std::vector<difference>;

/// Texts may have blanks, which a number may fill.
bool same_value(const json& wanted, const json& got, blanks& with) {
  if (wanted.is_string())
    return fits(wanted.get<std::string>(),
                got.is_string() ? got.get<std::string>() : got.dump(), with,
                false);
  if (wanted.is_array()) {
    if (!got.is_array() || got.size() != wanted.size())
      return false;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (!same_value(wanted[i], got[i], with))
        return false;
    return true;
  }
  return wanted == got;
}

/// `node` may be its name or its UUID.
bool same_incident(const json& wanted, const json& got, blanks& with) {
  for (const auto& [key, value] : wanted.items()) {
    if (key == "node" && value == got.value("node-name", json{}))
      continue;
    auto i = got.find(key);
    if (i == got.end() || !same_value(value, *i, with))
      return false;
  }
  return true;
}

bool pair_rest(const json& wanted, std::size_t i, std::vector<json>& left,
               const blanks& with, blanks& found) {
  if (i == wanted.size()) {
    found = with;
    return true;
  }
  for (std::size_t k = 0; k < left.size(); ++k) {
    auto mine = with;
    if (!same_incident(wanted[i], left[k], mine))
      continue;
    auto taken = left[k];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
    auto good = pair_rest(wanted, i + 1, left, mine, found);
    left.insert(left.begin() + static_cast<std::ptrdiff_t>(k), taken);
    if (good)
      return true;
  }
  return false;
}

bool has_jobs(const json& expect, const outcome& got, const blanks& with) {
  auto all = expect.value("incident_has_job", json::object());
  return std::all_of(
    all.items().begin(), all.items().end(), [&](const auto& x) {
      return std::any_of(
        got.incidents.begin(), got.incidents.end(), [&](const json& one) {
          auto label = x.value().template get<std::string>();
          auto id = with.filled.find(label);
          return id != with.filled.end() && one["uuid"] == x.key()
                 && std::any_of(
                   one["jobs"].begin(), one["jobs"].end(),
                   [&](const json& job) { return job.dump() == id->second; });
        });
    });
}

void judge_nodes(const json& expect, const outcome& got, differences& into) {
  auto all = expect.value("nodes", json::object());
  for (const auto& [name, wanted] : all.items()) {
    const auto* node = find_record(got.record->nodes, name);
    json is = json::object();
    if (node != nullptr) {
      auto homes = 0;
      auto mirrors = 0;
      for (const auto& x : got.record->instances) {
        homes += x.primary == name ? 1 : 0;
        mirrors
          += std::count(x.secondaries.begin(), x.secondaries.end(), name) > 0;
      }
      is = {{"offline", node->offline},
            {"drained", node->drained},
            {"drained_or_offline", node->drained || node->offline},
            {"primaries", homes},
            {"secondaries", mirrors}};
    }
    for (const auto& [key, value] : wanted.items())
      if (value != is.value(key, json{}))
        into.push_back({fmt::format("nodes {} {}", name, key), shown(value),
                        shown(is.value(key, json{}))});
  }
}

void judge_instances(const json& expect, const outcome& got,
                     differences& into) {
  auto all = expect.value("instances", json::object());
  for (const auto& [name, wanted] : all.items()) {
    const auto* x = find_record(got.record->instances, name);
    for (const auto& [key, value] : wanted.items()) {
      auto lodges = [&](const json& node) {
        return x->primary == node
               || std::count(x->secondaries.begin(), x->secondaries.end(), node)
                    > 0;
      };
      auto good = false;
      if (x != nullptr && key == "primary")
        good = value == x->primary;
      else if (x != nullptr && key == "primary_not")
        good = std::count(value.begin(), value.end(), x->primary) == 0;
      else if (x != nullptr && key == "not_on")
        good = std::none_of(value.begin(), value.end(), lodges);
      if (!good)
        into.push_back({fmt::format("instances {} {}", name, key), shown(value),
                        x == nullptr ? "(gone)" : x->primary});
    }
  }
}

std::vector<json> all_ops(const outcome& got) {
  std::vector<json> result;
  for (const auto& job : got.jobs)
    result.insert(result.end(), job.ops.begin(), job.ops.end());
  return result;
}

/// `["OP_INSTANCE_MIGRATE", "i1"]`; `*` is anything.
bool is_op(const json& wanted, const json& op) {
  if (wanted.is_string())
    return op.value("OP_ID", "") == wanted;
  if (!wanted.is_array() || wanted.empty()
      || op.value("OP_ID", "") != wanted[0])
    return false;
  return wanted.size() < 2 || wanted[1] == "*"
         || op.value("instance_name", json{}) == wanted[1]
         || op.value("node_name", json{}) == wanted[1];
}

void judge_order(const json& expect, const char* key, const outcome& got,
                 differences& into) {
  auto wanted = expect.value(key, json::array());
  auto ops = all_ops(got);
  auto from = ops.begin();
  for (const auto& one : wanted) {
    from = std::find_if(from, ops.end(),
                        [&](const json& op) { return is_op(one, op); });
    if (from == ops.end()) {
      into.push_back({key, shown(wanted), shown(ops)});
      return;
    }
    ++from;
  }
}

void judge_counts(const json& expect, const outcome& got, differences& into) {
  auto compare = [&](const char* key, std::size_t is) {
    if (expect.contains(key) && expect[key] != is)
      into.push_back({key, shown(expect[key]), std::to_string(is)});
  };
  compare("incidents_count", got.incidents.size());
  compare("jobs_count", got.jobs.size());
  auto has = [&](const json& uuid) {
    return std::any_of(got.incidents.begin(), got.incidents.end(),
                       [&](const json& x) { return x["uuid"] == uuid; });
  };
  for (const auto& uuid : expect.value("incident_uuids_not", json::array()))
    if (has(uuid))
      into.push_back({"incident_uuids_not", shown(uuid), shown(got.incidents)});
  for (const auto& part : expect.value("targets_not", json::array()))
    for (const auto& op : all_ops(got))
      if (op.value("target_node", json{}) == part
          || op.value("remote_node", json{}) == part)
        into.push_back({"targets_not", shown(part), shown(op)});
}

bool same_answer(const json& wanted, const json& got) {
  for (const auto& [key, value] : wanted.items()) {
    if (key == "json_contains") {
      blanks none;
      auto one = got.value("json", json{});
      if (!one.is_array() || one.size() != 1
          || !same_incident(value, one[0], none))
        return false;
    } else if (got.value(key, json{}) != value) {
      return false;
    }
  }
  return true;
}

void judge_http(const json& expect, const outcome& got, differences& into) {
  auto check = [&](const char* key, const json& answer) {
    if (!same_answer(expect[key], answer))
      into.push_back({key, shown(expect[key]), shown(answer)});
  };
  for (const auto* key : {"http", "http_last", "http_all"}) {
    if (!expect.contains(key))
      continue;
    if (got.http.empty())
      into.push_back({key, shown(expect[key]), "(nothing was asked)"});
    else if (std::string{key} == "http_all")
      for (const auto& answer : got.http)
        check(key, answer);
    else
      check(key, got.http.back());
  }
}

} // namespace

bool pair_incidents(const json& expect, const outcome& got, blanks& with) {
  if (expect.contains("incidents")) {
    auto left = got.incidents;
    const auto& wanted = expect["incidents"];
    auto others
      = !expect.contains("incidents_count") && left.size() != wanted.size();
    auto found = with;
    if (others || !pair_rest(wanted, 0, left, with, found))
      return false;
    with = found;
  }
  return has_jobs(expect, got, with);
}

void judge_events(const json& expect, const outcome& got, differences& into) {
  if (got.record == nullptr) {
    for (const auto& key : event_keys())
      if (expect.contains(key))
        into.push_back({"key \"" + key + "\" of expect", shown(expect[key]),
                        "it is about the maintenance daemon"});
    return;
  }
  judge_nodes(expect, got, into);
  judge_instances(expect, got, into);
  judge_order(expect, "op_order", got, into);
  judge_order(expect, "jobs_contain", got, into);
  judge_counts(expect, got, into);
  judge_http(expect, got, into);
}

const std::set<std::string>& event_keys() {
  static const std::set<std::string> all{"incidents",
                                         "incidents_count",
                                         "incident_uuids_not",
                                         "incident_has_job",
                                         "nodes",
                                         "instances",
                                         "op_order",
                                         "jobs_contain",
                                         "jobs_count",
                                         "targets_not",
                                         "http",
                                         "http_last",
                                         "http_all"};
  return all;
}

bool same_op(const json& wanted, const json& got) {
  if (!wanted.is_object())
    return wanted.is_string() && got.value("OP_ID", "") == wanted;
  for (const auto& [key, value] : wanted.items()) {
    auto i = got.find(key);
    auto absent = i == got.end() || i->is_null();
    if (absent ? !value.is_null() : *i != value)
      return false;
  }
  return true;
}

} // namespace orderly::sim::conformance
