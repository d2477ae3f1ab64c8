// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Cases about what shared storages say of a host.

#include "actors/policy/checks/storage.hpp"
#include "sim/timelines/play.hpp"

#include <algorithm>
#include <stdexcept>

namespace orderly::sim::timelines {

namespace {

const char* spelled(activity x) {
  return x == activity::active     ? "active"
         : x == activity::inactive ? "inactive"
                                   : "error";
}

std::optional<activity> word_from(const std::string& x) {
  if (x == "active")
    return activity::active;
  if (x == "inactive")
    return activity::inactive;
  if (x == "error" || x == "unknown" || x == "hang")
    return activity::unknown;
  if (x == "unsupported")
    return std::nullopt;
  throw std::invalid_argument{"there is no answer \"" + x + "\""};
}

std::optional<instant> time_in(const json& x) {
  if (x.is_null() || x == "error")
    return std::nullopt;
  return instant{seconds{x.get<std::int64_t>()}};
}

void refuse_others(const json& one, std::initializer_list<const char*> known) {
  for (const auto& [key, value] : one.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw std::invalid_argument{"case: key \"" + key
                                  + "\" is not understood"};
}

checks::storage_sight sight_in(const json& one) {
  checks::storage_sight result;
  auto volumes = one.value("volumes", json::array());
  result.readable = one.value("readable", true) && volumes.is_array()
                    && one.value("heartbeat", json{}) != "error";
  if (!result.readable)
    return result;
  result.heartbeat = time_in(one.value("heartbeat", json{}));
  for (const auto& x : volumes)
    result.volumes.push_back(time_in(x));
  return result;
}

std::optional<checks::storage_record> record_in(const json& x) {
  if (x.is_null())
    return std::nullopt;
  return checks::storage_record{time_in(x.at("suspect")).value(),
                                time_in(x.at("newest")).value()};
}

} // namespace

std::vector<mismatch> judge_nfs(const json& cases) {
  std::vector<mismatch> result;
  for (const auto& one : cases) {
    refuse_others(one, {"now", "heartbeat", "volumes", "suspect", "last",
                        "answer", "why", "readable"});
    auto got = checks::judge_storage(
      sight_in(one), time_in(one.at("suspect")).value(),
      record_in(one.value("last", json{})), time_in(one.at("now")).value());
    if (one.at("answer") != spelled(got.verdict))
      result.push_back(
        {one.dump(), one.at("answer"),
         std::string{spelled(got.verdict)} + ": " + got.evidence});
  }
  return result;
}

std::vector<mismatch> judge_pools(const json& cases) {
  std::vector<mismatch> result;
  for (const auto& one : cases) {
    refuse_others(one, {"pools", "answer", "why"});
    std::vector<std::optional<activity>> all;
    for (const auto& x : one.at("pools"))
      all.push_back(word_from(x.get<std::string>()));
    auto got = spelled(checks::judge_storages(all));
    if (one.at("answer") != got)
      result.push_back({one.dump(), one.at("answer"), got});
  }
  return result;
}

} // namespace orderly::sim::timelines
